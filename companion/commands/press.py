"""`companion press`: a textured card is pressed on the pad, so that its raised picture is known."""

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from companion.core.clock import Clock, RealClock
from companion.core.config import load_config
from companion.core.errors import BadInputError, SourceError
from companion.core.printable import say

if TYPE_CHECKING:
    from companion.sensing.board_source import BoardLink

TIMES = 3
"""Presses that make up an enrolment."""
PATIENCE_S = 60.0
"""So long the pad is watched for the next one."""
_ROUND_S = 0.02


@click.command()
@click.argument("kind")
@click.option("--port", help="Serial port of the board, a capture file, or auto.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def press(kind: str, port: str | None, as_json: bool) -> None:
    """Press a textured card of KIND (0t to 9t) on the pad, lift it, turn it, and press it again.

    Prints the line that belongs under [textures] in companion.toml.
    """
    from companion.games.registry import load_game
    from firmware.host.link import open_link

    settings = load_config()
    game = load_game(settings.game)
    kinds = sorted({card.kind for variant in game.variants for card in game.cards(variant) if card.texture})
    if kind not in kinds:
        raise BadInputError(f"no raised picture is of kind {kind!r}", next_step=f"one of {', '.join(kinds)}")
    clock = RealClock()
    link = open_link(port or settings.port or "auto", clock)
    try:
        pictures = gather(link, clock, partial(say, err=True))
    finally:
        link.close()
    if as_json:
        click.echo(json.dumps({"kind": kind, "presses": pictures}))
    else:
        say(f"{json.dumps(kind)} = {json.dumps(pictures)}")


def gather(link: "BoardLink", clock: Clock, say: Callable[[str], None]) -> list[str]:
    """So many good presses (hex), each asked for in words; SourceError if the next one does not come."""
    from companion.sensing.press_recogniser import as_enrolled
    from companion.sensing.press_segmentation import Presses
    from firmware.host.messages import TextureFrame

    presses = Presses()
    found: list[str] = []
    say(f"Press the card on the pad {TIMES} times, turned each time.")
    until = clock.now() + PATIENCE_S
    while len(found) < TIMES:
        if clock.now() > until or link.finished:
            raise SourceError("nothing was pressed", where="pad", next_step="see companion doctor")
        for message in link.poll():
            one = presses.hear(message) if isinstance(message, TextureFrame) else None
            if one is None:
                continue
            until = clock.now() + PATIENCE_S
            try:
                found.append(as_enrolled(one.picture, one.rest).hex())
                say(f"{len(found)} of {TIMES}")
            except ValueError as error:
                say(f"once more: {error}")
        clock.sleep(_ROUND_S)
    return found[:TIMES]
