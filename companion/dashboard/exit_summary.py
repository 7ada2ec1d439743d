"""The lines left on the terminal after the screen has closed: the score, the journals, a goodbye."""

import shlex
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.language import localized, plural, tr
from companion.dashboard.model import Link, PublicModel
from companion.session.stream.commands import Quit
from companion.session.stream.events import Event, Goodbye, SensorHealth
from companion.session.stream.stream import connect, decode_line, encode_line

PATIENCE_S = 20.0
"""PATIENCE_S: longest wait (s) for the next bytes of an engine that ends. A guess."""


def stop_and_hear(model: PublicModel, engine: Path) -> None:
    """Stop the engine, and note its last words in `model`.

    `engine`: its socket. Last words: health reports and the goodbye. An engine that stops tries once more to
    write lines that the disk has refused. An engine that is gone, or silent for PATIENCE_S, is no error.
    """
    with suppress(CompanionError, OSError), closing(connect(engine)) as client:
        client.settimeout(PATIENCE_S)
        client.sendall(encode_line(Quit()))
        with client.makefile("rb") as lines:
            for line in lines:
                event = decode_line(line, Event)
                if isinstance(event, SensorHealth | Goodbye):
                    model.take(event)


def farewell(
    model: PublicModel, journals: Sequence[Path] = (), *, stopped: bool = True, recording: Path | None = None
) -> list[str]:
    """Lines for the terminal after the screen has closed.

    In this order: result of the game, files in `journals` (games just played), folder of the `recording` (None:
    nothing was recorded), warnings, a goodbye. `stopped`: True if the engine ends with the screen; if False, a
    line says how to return to it.
    """
    lines = _game(model)
    lines += [tr("This game is kept in {path}", path=str(path)) for path in journals]
    if recording is not None:
        pack = shlex.join(["companion", "pack", str(recording)])
        lines.append(tr("Recorded in {folder}. To send it: {command}", folder=str(recording), command=pack))
    if not model.recorded:
        lines.append(tr("Nothing of this game is kept."))
    if model.goodbye:
        lines.append(model.goodbye)
    elif stopped and model.unwritten:
        lines.append(tr("The disk refused the end of this game: it is lost."))
    elif not stopped and model.link is Link.LIVE:
        lines.append(tr("The engine goes on watching. Back to the screen: companion dashboard"))
    return [*lines, tr("Good night, sleep tight!") if model.score else tr("Goodbye!")]


def _game(model: PublicModel) -> list[str]:
    score, table = model.score, model.table
    if score is not None:
        after = plural("After {n} turn: {line}. {words}", "After {n} turns: {line}. {words}", n=score.turns)
        line, words = localized(score.line), localized(score.text)
        winner, _, rest = words.partition(". ")
        # Who wins is said once.
        words = rest if rest and line.startswith(winner) else words
        return [model.names.put_into(localized(after.of(line=line, words=words)))]
    if table is None:
        return []
    return [
        tr("The game was left at turn {turn}.", turn=table.turn)
        if table.turn
        else tr("The game had not begun.")
    ]
