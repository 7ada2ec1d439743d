"""`companion press`: presses of a textured card are recorded, so that its raised picture is recognised."""

import json
from functools import partial

import click

from companion.core.clock import RealClock
from companion.core.config import load_config, speak_as_set
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.option_types import at_option, language_option
from companion.core.printable import say


@click.command()
@click.argument("kind")
@click.option("--rig", help="The rig profile of companion setup; the only one without it.")
@click.option("--port", help="Serial port of the board, a capture file, or auto.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@language_option
@at_option
def press(kind: str, rig: str | None, port: str | None, as_json: bool) -> None:
    """Press a textured card of KIND (0t to 9t) on the pad, lift it, turn it, and press it again.

    Kinds count from 0: 0t is the first kind, 7t the eighth.

    Prints the line that belongs under [textures] in companion.toml.
    """
    from calibration.rig_store import configured_rig
    from companion.games.registry import load_game
    from companion.sensing.board_words import in_words
    from companion.sensing.press_enrolment import gather
    from firmware.host.link import open_link

    settings = load_config()
    speak_as_set(settings)
    settings = configured_rig(settings, rig)
    game = load_game(settings.game)
    kinds = sorted({card.kind for variant in game.variants for card in game.cards(variant) if card.texture})
    if kind not in kinds:
        raise BadInputError(
            text("no raised picture is of kind {kind}", kind=repr(kind)),
            next_step=text("choose one of: {names}", names=tuple(kinds)),
        )
    clock = RealClock()
    with in_words():
        link = open_link(port or settings.port or "auto", clock, expected=settings.fingerprints.board)
    try:
        pictures = gather(link, clock, partial(say, err=True))
    finally:
        link.close()
    if as_json:
        click.echo(json.dumps({"kind": kind, "presses": pictures}))
    else:
        say(f"{json.dumps(kind)} = {json.dumps(pictures)}")
