"""The coach: what can be done at any point of a turn, ranked, from the view and the team's knowledge alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.games.sleepless_princess.actions import (
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
from companion.games.sleepless_princess.cardsets import HAND_SIZE, Cards, add
from companion.games.sleepless_princess.plays import discards_for, play_table, plays_for
from companion.games.sleepless_princess.state import VARIANTS
from companion.hints.beds import BedPlan, Check
from companion.hints.hands import PARTS, TURNS, Prices, best_taking, without, worth_of_hands
from companion.hints.knowledge import TeamKnowledge, kinds

View = Mapping[str, Any]

PRICES = {"basic": Prices(0.67, 1.0, 0.25), "5+": Prices(1.0, 0.0, 0.2)}
"""A touch finds nothing on every third mattress, which is smooth; the price of a card was found by playing."""
CARDS_A_TURN = 2.6
"""Cards a team draws in one turn, on average."""
SWEPT = 2.0
"""Cards lost to each witch still in the deck, on average, beside what would have been left over anyway."""
COMFORT = 5.5
"""Cards for every check still to be made, from which on a touch that finds nothing would be a waste."""
RISKED = 2.0
"""Cards that each witch in the deck may still cost, where one would rather be careful."""
IN_HAND = 5.0
"""Cards of each hand that still come to use."""
DOUBTFUL = 0.2
"""Chance of a smooth mattress from which on a touch counts as one that may find nothing."""


class Option(NamedTuple):
    """One action, what it is worth against the others of its kind (in checks), and how sure that is."""

    action: Action
    worth: float
    chance: float
    """Of what the action counts on, 0 to 1: the bed is complete, the mattress is hers, fingers can tell."""
    why: str
    """A key of companion.hints.words."""


def options(known: TeamKnowledge, view: View) -> list[Option]:
    """What the player of the view can do now, best first; `known` is what that player may know.

    Empty when it is not a player's turn. Never looks at anything but the two.
    """
    plan = BedPlan(known, view["fates"])
    claims = [Option(Claim(bed), HAND_SIZE, chance, "claim") for bed, chance in plan.claims()]
    if view["phase"] == "play":
        return claims + _plays(plan, view)
    if view["phase"] == "check":
        return claims + _checks(plan, view)
    if view["phase"] == "draw":
        return claims + _draws(known, view)
    return claims


def checks_ahead(known: TeamKnowledge, view: View) -> list[Option]:
    """Claims, and the checks worth most once cards are played: what can be said of a hand nobody told."""
    plan = BedPlan(known, view["fates"])
    claims = [Option(Claim(bed), HAND_SIZE, chance, "claim") for bed, chance in plan.claims()]
    touches = _ranked(plan, (), True)
    looks = _ranked(plan, (), False) if VARIANTS[known.variant].glass else []
    return claims + sorted(touches + looks, key=lambda option: -option.worth)


def turns_to_come(known: TeamKnowledge, view: View) -> float:
    """How many more turns this player gets after this one, about."""
    if view["last_turns"] is not None:
        return 0.0
    left: float = view["deck"] + len(view["row"]) - SWEPT * known.witches
    players: int = view["players"]
    return max(0.0, (left / CARDS_A_TURN + 1) / players)


def _drawing(known: TeamKnowledge, view: View) -> Callable[[Cards, Cards, int], float]:
    """The worth of drawing up some cards with an open row, at most so many cards of it from the row."""
    prices = PRICES[known.variant]
    worth = worth_of_hands(known.variant, prices)
    parts = min(TURNS * PARTS, round(PARTS * turns_to_come(known, view)))
    drawn = worth.drawn(parts, known.odds(view["turn"], kinds(view["hand"])))
    deck = view["deck"]
    witch = prices.card * known.witches / deck if deck else 0.0

    def worth_of_drawing(kept: Cards, row: Cards, most: int) -> float:
        return best_taking(drawn, worth, kept, row, (min(HAND_SIZE, deck), most), witch)

    return worth_of_drawing


def _plays(plan: BedPlan, view: View) -> list[Option]:
    known = plan.known
    prices = PRICES[known.variant]
    hand, row = kinds(view["hand"]), kinds(view["row"])
    # With no turn to come a card has no price any more.
    price = prices.card if turns_to_come(known, view) > 0 else 0.0
    touch = sum(check.worth for check in plan.checks((), False)[:1])
    looks = [check.worth for check in plan.checks((), True)]
    drawing = _drawing(known, view)
    found: list[Option] = []
    for action in plays_for(known.variant, hand):
        use = play_table(known.variant)[action]
        gain = touch + sum(looks[: use.looks]) - price * len(use.cards)
        worth = gain + drawing(without(hand, use.cards), row, HAND_SIZE)
        found.append(Option(action, worth, 1.0, f"play-{use.looks}"))
    for discard in discards_for(known.variant, hand, min(2, view["deck"] + len(row))):
        worth = drawing(without(hand, discard.cards), row, HAND_SIZE) - price * len(discard.cards)
        found.append(Option(discard, worth, 1.0, "discard"))
    return sorted(found, key=lambda option: -option.worth) or [Option(Skip(), 0.0, 1.0, "skip")]


def _draws(known: TeamKnowledge, view: View) -> list[Option]:
    hand, row = kinds(view["hand"]), kinds(view["row"])
    drawing = _drawing(known, view)
    found = [
        Option(Take(kind), drawing(add(hand, kind), without(row, (kind,)), HAND_SIZE), 1.0, "take")
        for kind in sorted(set(row))
    ]
    if view["deck"]:
        worth = drawing(hand, row, HAND_SIZE - len(hand) - 1)
        found.append(Option(Deck(), worth, 1.0, "deck"))
    return sorted(found, key=lambda option: -option.worth)


def _checks(plan: BedPlan, view: View) -> list[Option]:
    known = plan.known
    for bed in view["checked_beds"]:
        to = plan.target(bed)
        if to is not None:
            chance = known.home(known.beds[bed][0])[1]
            return [Option(Move(bed, to), 1.0, chance, "cycle" if to == bed else _carried(plan, to))]
    touches = plan.checks(view["checked_beds"], False) if view["touches"] else []
    looks = plan.checks((), True) if view["looks"] else []
    touching = _ranked(plan, view["checked_beds"], True) if touches else []
    looking = _ranked(plan, (), False) if looks else []
    done = [Option(Done(), 0.0, 1.0, "done")]
    if touches and (touches[0].known or not _touch_can_wait(plan, view, touches[0], len(looks))):
        return touching + looking + done
    return looking + done + touching


def _touch_can_wait(plan: BedPlan, view: View, check: Check, looks: int) -> bool:
    """Whether the looks come before the touch, or do without it: they may be all that is needed, or there are
    so many cards left that a touch which may find nothing is better left out."""
    work = plan.work_left()
    if looks and work <= view["looks"]:
        return True
    if view["last_turns"] is not None or plan.known.smooth(plan.known.beds[check.bed][0]) < DOUBTFUL:
        return False
    cards = view["deck"] + len(view["row"]) + IN_HAND * view["players"] - RISKED * plan.known.witches
    return bool(cards > COMFORT * (work - (view["looks"] if looks else 0)))


def _ranked(plan: BedPlan, checked: Sequence[int], touch: bool) -> list[Option]:
    """Every touch or look worth making; the chance is that it tells where the mattress belongs."""
    found = []
    for check in plan.checks(checked, not touch):
        chance = 1.0 - plan.known.smooth(plan.known.beds[check.bed][0]) if touch and not check.known else 1.0
        action = Touch(check.bed) if touch else Look(check.bed)
        why = ("touch" if touch else "look") + ("-known" if check.known else "")
        found.append(Option(action, check.worth, chance, why))
    return found


def _carried(plan: BedPlan, to: int) -> str:
    return "carry" if plan.fates[to] == "awake" else "away"
