"""Ranked hints for a player, at the family's help level."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.advice import Advice, Hint, Level
from companion.games.sleepless_princess.hints import hint_wording
from companion.games.sleepless_princess.hints.bed_plan import BedPlan
from companion.games.sleepless_princess.hints.ranked_options import Option, checks_ahead, options
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge, kinds
from companion.games.sleepless_princess.notation.action_notation import write_action
from companion.games.sleepless_princess.rules.actions import Done
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN


@dataclass(frozen=True, slots=True)
class TeamAdvice(Advice):
    """Hints for a team that shares what it knows.

    A hint's `worth` is the number of checks (touches of a mattress, or looks through the glass) that it saves.
    `positions` counts all work done.
    """

    work_left: int = 0
    """Estimated number of checks until every princess can be claimed to sleep.

    A check is a touch of a mattress or a look through the glass.
    """


def advise(
    known: TeamKnowledge,
    view: Mapping[str, Any],
    level: Level = Level.COACH,
    most: int = 3,
    *,
    counts: bool = False,
) -> TeamAdvice:
    """Up to `most` hints for `view`'s player, best first.

    At the levels REFEREE and NUDGE at most one, at MEMORY one for each bed. If the hand has unknown cards
    ("?"), hints concern only beds. `known`: what the team knows. `counts`: hints may tell how many mattresses a
    bed has.
    """
    plan = BedPlan(known, view["fates"])
    work = plan.work_left()
    if level is Level.REFEREE:
        text = hint_wording.rule(known.variant, view["phase"])
        return TeamAdvice(level, (Hint(text),) if text else ())
    if level is Level.MEMORY:
        beds = range(len(known.beds))
        told = tuple(Hint(hint_wording.remembered(known, view, bed, counts=counts)) for bed in beds)
        return TeamAdvice(level, told, known.steps + len(told), work)
    found = _options(known, view)
    steps = known.steps + len(found)
    if level is Level.NUDGE:
        asked = (Hint(hint_wording.question(found[0]), found[0].why),) if found else ()
        return TeamAdvice(level, asked, steps, work)
    # Stopping is never nearly as good as a useful check, so it is a hint only if it comes first.
    chosen = [option for at, option in enumerate(found) if not at or not isinstance(option.action, Done)][:most]
    texts = hint_wording.sentences(plan, view, chosen)
    return TeamAdvice(level, tuple(map(_hint, chosen, texts)), steps, work)


def _options(known: TeamKnowledge, view: Mapping[str, Any]) -> list[Option]:
    """The player's options, in the order of `ranked_options.options`.

    If the hand is unknown: only claims, then checks by descending `Option.worth`. `known`: what the player
    knows. `view`: what the rules show this player, as `player_view.view` returns it.
    """
    if view["phase"] in ("play", "draw") and UNKNOWN in kinds(view["hand"]):
        return checks_ahead(known, view)
    return options(known, view)


def _hint(option: Option, text: str) -> Hint:
    return Hint(text, option.why, write_action(option.action), round(option.worth, 3), round(option.chance, 4))
