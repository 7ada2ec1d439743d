"""The coach: all options of a player, ranked by the view and the team's knowledge alone."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.sleepless_princess.hints.bed_plan import BedPlan
from companion.games.sleepless_princess.hints.hand_tables import without
from companion.games.sleepless_princess.hints.option_values import View, prospects
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge, kinds
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Done,
    Look,
    Move,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, add
from companion.games.sleepless_princess.rules.plays import discards_for, play_table, plays_for
from companion.games.sleepless_princess.rules.state import VARIANTS


class Option(NamedTuple):
    """Possible action, and its worth in checks.

    Checks are touches or looks. Only options of one decision are comparable.
    """

    action: Action
    worth: float
    chance: float
    """Chance (0 to 1) of success.

    Claim: the princess sleeps. Move: the mattress belongs there. Touch: fingers can tell whose it is. 1 for any
    other action.
    """
    why: str
    """Reason for the option, e.g. "play-2" or "touch-carry".

    Sentences in `hint_wording` have these keys.
    """


def options(known: TeamKnowledge, view: View) -> list[Option]:
    """All that `view`'s player can do now, best first.

    Empty if chance acts. `known`: what this player knows; nothing else is used.
    """
    plan = BedPlan(known, view["fates"])
    claims = [Option(Claim(bed), HAND_SIZE, chance, "claim") for bed, chance in plan.claims()]
    if view["phase"] == "play":
        return claims + _plays(plan, view)
    if view["phase"] == "check":
        return claims + _checks(plan, view)
    if view["phase"] == "draw":
        return claims + _draws(plan, view)
    return claims


def checks_ahead(known: TeamKnowledge, view: View) -> list[Option]:
    """Claims, then touches and looks after a play, best first.

    They are the options of a player whose hand is unknown.
    """
    plan = BedPlan(known, view["fates"])
    claims = [Option(Claim(bed), HAND_SIZE, chance, "claim") for bed, chance in plan.claims()]
    touches = _ranked(plan, (), True)
    looks = _ranked(plan, (), False) if VARIANTS[known.variant].glass else []
    return claims + sorted(touches + looks, key=lambda option: -option.worth)


def _plays(plan: BedPlan, view: View) -> list[Option]:
    """Plays and discards of the player's hand, best first; skipping if there are none."""
    variant = plan.known.variant
    hand, row = kinds(view["hand"]), kinds(view["row"])
    ahead = prospects(plan, view)
    found: list[Option] = []
    for action in plays_for(variant, hand):
        use = play_table(variant)[action]
        worth = ahead.playing(use, without(hand, use.cards), row)
        found.append(Option(action, worth, 1.0, f"play-{use.looks}"))
    for discard in discards_for(variant, hand, min(2, view["deck"] + len(row))):
        worth = ahead.discarding(len(discard.cards), without(hand, discard.cards), row)
        found.append(Option(discard, worth, 1.0, "discard"))
    return sorted(found, key=lambda option: -option.worth) or [Option(Skip(), 0.0, 1.0, "skip")]


def _draws(plan: BedPlan, view: View) -> list[Option]:
    """Open cards to take, and the deck, best first."""
    hand, row = kinds(view["hand"]), kinds(view["row"])
    ahead = prospects(plan, view)
    found = [
        Option(Take(kind), ahead.drawing(add(hand, kind), without(row, (kind,)), HAND_SIZE), 1.0, "take")
        for kind in sorted(set(row))
    ]
    if view["deck"]:
        worth = ahead.drawing(hand, row, HAND_SIZE - len(hand) - 1)
        found.append(Option(Deck(), worth, 1.0, "deck"))
    return sorted(found, key=lambda option: -option.worth)


def _checks(plan: BedPlan, view: View) -> list[Option]:
    """Touches, looks and the end of checking, best first; or the move of a checked mattress."""
    known = plan.known
    for bed in view["checked_beds"]:
        to = plan.target(bed)
        if to is not None:
            chance = known.home(known.beds[bed][0])[1]
            return [Option(Move(bed, to), 1.0, chance, _purpose(plan, bed, to))]
    touches = plan.checks(view["checked_beds"], False) if view["touches"] else []
    looks = plan.checks((), True) if view["looks"] else []
    touching = _ranked(plan, view["checked_beds"], True) if touches else []
    looking = _ranked(plan, (), False) if looks else []
    left = bool(view["touches"] or view["looks"])
    done = [Option(Done(), 0.0, 1.0, "done" if left else "done-used")]
    # Looks come first, because they tell how likely the next mattress is smooth. In a silent game looks come
    # last, because nobody else can use what fingers could not tell. Touches are free, so none is left out.
    glass_first = bool(looks) and not view["silent"]
    if touches and (touches[0].known or not glass_first):
        return touching + looking + done
    return looking + touching + done


def _ranked(plan: BedPlan, checked: Sequence[int], touch: bool) -> list[Option]:
    """Touches (looks, if not `touch`) worth making, each with its chance to tell whose the mattress is.

    `checked`: beds (from 0) checked this turn.
    """
    found = []
    for check in plan.checks(checked, not touch):
        chance = plan.telling(check) if touch else 1.0
        action = Touch(check.bed) if touch else Look(check.bed)
        why = "touch" if touch else "look"
        to = plan.target(check.bed) if check.known else None
        if to is not None:
            why += f"-{_purpose(plan, check.bed, to)}"
        found.append(Option(action, check.worth, chance, why))
    return found


def _purpose(plan: BedPlan, bed: int, to: int) -> str:
    """Why the bottom mattress of `bed` goes to bed `to`.

    "carry": to an awake princess. "cycle": to the top of its own bed. "clear": to the top of its bed, which
    is out of play. "away": to another bed out of play.
    """
    if to == bed:
        return "cycle" if plan.fates[bed] == "awake" else "clear"
    return "carry" if plan.fates[to] == "awake" else "away"
