"""The lines left on the terminal after the screen has closed: the score, the journals, a goodbye."""

from collections.abc import Sequence
from pathlib import Path

from companion.dashboard.model import Link, PublicModel


def farewell(model: PublicModel, journals: Sequence[Path] = (), *, stopped: bool = True) -> list[str]:
    """One line for each thing. `journals`: of the games just played. `stopped`: the engine ends as well."""
    lines = _game(model)
    lines += [f"Recorded: {path}" for path in journals]
    if model.goodbye:
        lines.append(model.goodbye)
    elif not stopped and model.link is Link.LIVE:
        lines.append("The engine goes on watching. Back to the screen: companion dashboard")
    return [*lines, "Good night, sleep tight!" if model.score else "Goodbye!"]


def _game(model: PublicModel) -> list[str]:
    score, table = model.score, model.table
    if score is not None:
        turns = f"{score.turns} turn{'' if score.turns == 1 else 's'}"
        return [f"{score.line} after {turns}. {score.text}"]
    if table is None:
        return []
    return [f"The game was left at turn {table.turn}." if table.turn else "The game had not begun."]
