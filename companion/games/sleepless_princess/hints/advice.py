"""Advice on demand: from what the team knows to ranked hints at the level a family has chosen."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from companion.games.sleepless_princess.hints import hint_wording
from companion.games.sleepless_princess.hints.bed_advice import BedPlan
from companion.games.sleepless_princess.hints.coach import Option, checks_ahead, options
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge, kinds
from companion.games.sleepless_princess.notation.action_notation import write_action
from companion.games.sleepless_princess.rules.actions import Done
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN


class Level(IntEnum):
    """How much a hint gives away; each level leaves the rest to the players."""

    REFEREE = 0
    """The rules, nothing else."""
    MEMORY = 1
    """What the team found out already; where counting is allowed, how many mattresses lie where."""
    NUDGE = 2
    """A question that points the way."""
    COACH = 3
    """The move."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint. `worth`, in checks, ranks the hints of one decision; None where it is no move."""

    text: str
    """One sentence a child understands."""
    why: str = ""
    """The reason as a key of the catalogue in hint_wording."""
    action: str = ""
    """The move in the game's notation; at the level coach only."""
    worth: float | None = None
    chance: float | None = None
    """How sure what it counts on is, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Hints, best first; the same for any cards that nobody at the table knows."""

    level: Level
    hints: tuple[Hint, ...]
    work_left: int
    """Checks that are still to be made, about, until every princess can be claimed."""
    steps: int
    """The work it took, counted: it must not depend on what nobody knows either."""


def advise(
    known: TeamKnowledge,
    view: Mapping[str, Any],
    level: Level = Level.COACH,
    most: int = 3,
    *,
    counts: bool = False,
) -> Advice:
    """Up to `most` hints for the player of the view; what a level does not give is not worked out for it.

    A hand with unknown cards ("?") gets no advice on cards, only on beds. With `counts` hints may tell how many
    mattresses lie on a bed.
    """
    plan = BedPlan(known, view["fates"])
    work = plan.work_left()
    if level is Level.REFEREE:
        text = hint_wording.rule(known.variant, view["phase"])
        return Advice(level, (Hint(text),) if text else (), 0, 0)
    if level is Level.MEMORY:
        beds = range(len(known.beds))
        told = tuple(Hint(hint_wording.remembered(known, view, bed, counts=counts)) for bed in beds)
        return Advice(level, told, work, known.steps + len(told))
    found = _options(known, view)
    steps = known.steps + len(found)
    if level is Level.NUDGE:
        asked = (Hint(hint_wording.question(found[0]), found[0].why),) if found else ()
        return Advice(level, asked, work, steps)
    # To stop is the only choice or none: it is never nearly as good as a check that tells something.
    chosen = [option for at, option in enumerate(found) if not at or not isinstance(option.action, Done)][:most]
    texts = hint_wording.sentences(plan, view, chosen)
    return Advice(level, tuple(map(_hint, chosen, texts)), work, steps)


def _options(known: TeamKnowledge, view: Mapping[str, Any]) -> list[Option]:
    if view["phase"] in ("play", "draw") and UNKNOWN in kinds(view["hand"]):
        return checks_ahead(known, view)
    return options(known, view)


def _hint(option: Option, text: str) -> Hint:
    return Hint(text, option.why, write_action(option.action), round(option.worth, 3), round(option.chance, 4))
