"""What can be made of the hand on turn: every play, discard and draw, by the measure that fits the variant."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.games.sleepless_princess.hints.bed_plan import BedPlan
from companion.games.sleepless_princess.hints.hand_tables import (
    Worth,
    all_hands,
    best_taking,
    filled,
    sets_by_size,
    without,
)
from companion.games.sleepless_princess.hints.race_value_iteration import MOST_WORK, TOUCH, cards_needed
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge, kinds
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE, Cards, add
from companion.games.sleepless_princess.rules.plays import Use
from companion.games.sleepless_princess.rules.state import BASIC

TURNS = 8
"""The tables reach so many turns of one player ahead; from there on a further turn changes next to nothing."""
PARTS = 4
"""Between whole numbers of turns the tables are blended, in quarters."""
ROWS = 150


class Prices(NamedTuple):
    """What the things of a turn are worth, in checks: one look through the glass is 1."""

    touch: float
    card: float
    """Cards run out, and the game with them; found by playing."""


PRICES = {"basic": Prices(0.67, 0.25), "5+": Prices(1.0, 0.2)}
"""A touch finds nothing on every third mattress of the basic game, which is smooth."""


@lru_cache(maxsize=4)
def worth_of_turns(variant: str) -> Worth:
    """The worth of hands in checks; the stage is the number of turns to come, in parts of a turn (PARTS)."""
    hands = all_hands(variant)
    choices = hands.choices
    odds = hands.copies / hands.copies.sum()
    chance = np.random.default_rng(1)
    pack = np.repeat(np.arange(len(hands.copies)), hands.copies)
    rows = np.stack([chance.permutation(pack)[:ROW_SIZE] for _ in range(ROWS)])
    prices = PRICES[variant]
    gains = np.where(choices.looks < 0, 0.0, prices.touch + choices.looks) - prices.card * choices.cards
    full = [np.zeros(len(choices.starts))]
    for _ in range(TURNS):
        after = _after_drawing(filled(full[-1], hands.growth, odds), hands.growth, rows)
        full.append(np.maximum.reduceat(gains + after[choices.kept], choices.starts))
    blends = []
    for part in range(TURNS * PARTS + 1):
        turns, share = divmod(part, PARTS)
        later = full[min(turns + 1, TURNS)]
        blends.append(full[turns] + (later - full[turns]) * share / PARTS)
    return Worth(hands, tuple(blends))


def _after_drawing(
    worth: NDArray[np.float64],
    growth: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The worth of every kept set when the best open cards are taken first, as a mean over the rows."""
    result = np.zeros(len(growth))
    for size, where in enumerate(sets_by_size(growth.shape[1])):
        those = np.arange(where.start, where.stop)
        best = np.repeat(worth[those][:, None], len(rows), axis=1)
        for taken in range(1, HAND_SIZE - size + 1):
            for places in combinations(range(ROW_SIZE), taken):
                reached = np.repeat(those[:, None], len(rows), axis=1)
                for place in places:
                    reached = growth[reached, rows[:, place][None, :]]
                np.maximum(best, worth[reached], out=best)
        result[those] = best.mean(axis=1)
    return result


View = Mapping[str, Any]

CARDS_A_TURN = 2.6
"""Cards a team in a hurry draws in one turn, on average."""
SWEPT = 2.0
"""Cards lost to each witch still in the deck, on average, beside what would have been left over anyway."""
COST_OF_CHECK = 7.0
"""What a check costs on average, four cards and most of a turn, in the measure of cards_needed."""


class Prospects(Protocol):
    """The worth of the choices of one position, in checks; the differences between them tell something."""

    def playing(self, use: Use, kept: Cards, row: Cards) -> float:
        """Of a play after which `kept` is left in the hand, with an open row."""

    def discarding(self, number: int, kept: Cards, row: Cards) -> float:
        """Of laying so many cards off."""

    def drawing(self, kept: Cards, row: Cards, most: int) -> float:
        """Of drawing `kept` up with an open row, at most so many cards of it from the row."""


def prospects(plan: BedPlan, view: View) -> Prospects:
    """For the player of the view."""
    return Race(plan, view) if _racing(plan.known.variant, view["silent"]) else Harvest(plan, view)


def _racing(variant: str, silent: bool) -> bool:
    return variant == BASIC.name and not silent


def prepare(variant: str, players: int, *, silent: bool = False) -> None:
    """Make the tables, which takes a few tenths of a second the first time."""
    if _racing(variant, silent):
        cards_needed(players)
    else:
        worth_of_turns(variant)


def to_be_taken(ahead: Prospects, hand: Cards, row: Cards, deck: int) -> Cards:
    """The open cards with which a hand is drawn up best, in order, until one from the deck is better."""
    taken: list[int] = []
    while row and len(hand) < HAND_SIZE:
        worths = {kind: ahead.drawing(add(hand, kind), without(row, (kind,)), HAND_SIZE) for kind in set(row)}
        kind = max(sorted(worths), key=worths.__getitem__)
        if deck and ahead.drawing(hand, row, HAND_SIZE - len(hand) - 1) > worths[kind]:
            break
        taken.append(kind)
        hand, row = add(hand, kind), without(row, (kind,))
    return tuple(taken)


def turns_to_come(known: TeamKnowledge, view: View) -> float:
    """How many more turns this player gets after this one, about."""
    if view["last_turns"] is not None:
        return 0.0
    left: float = view["deck"] + len(view["row"]) - SWEPT * known.witches
    players: int = view["players"]
    return max(0.0, (left / CARDS_A_TURN + 1) / players)


class Race:
    """Finish before the cards run out: the fewer are needed the better. In the last turn only checks count."""

    def __init__(self, plan: BedPlan, view: View) -> None:
        self._worth = cards_needed(view["players"])
        self._odds = plan.known.odds(view["turn"], kinds(view["hand"]))
        # With nothing left to check hands are kept for one that may come.
        self._work = min(MOST_WORK, max(1, plan.work_left()))
        # Without a look before it a touch meets what lies at the bottom now: it may be known to be smooth.
        telling = [plan.telling(check) for check in plan.checks((), False)]
        self._touch = max(telling, default=0.0) if plan.work_left() else TOUCH
        self._going_on = min(1.0, turns_to_come(plan.known, view))
        self._deck = min(HAND_SIZE, view["deck"])
        self._drawn: dict[int, Sequence[float]] = {}

    def playing(self, use: Use, kept: Cards, row: Cards) -> float:
        """See the protocol."""
        felt, not_felt = (self._after(use.looks + more, kept, row, HAND_SIZE) for more in (1, 0))
        touch = TOUCH if use.looks else self._touch
        return touch * felt + (1 - touch) * not_felt - self._price(len(use.cards))

    def discarding(self, number: int, kept: Cards, row: Cards) -> float:
        """See the protocol."""
        return self.drawing(kept, row, HAND_SIZE) - self._price(number)

    def drawing(self, kept: Cards, row: Cards, most: int) -> float:
        """See the protocol."""
        return self._after(0, kept, row, most)

    def _price(self, cards: int) -> float:
        return self._going_on * cards / COST_OF_CHECK

    def _after(self, done: int, kept: Cards, row: Cards, most: int) -> float:
        """Of drawing up when so many checks were made."""
        work = self._work - done
        if work <= 0:
            return 0.0
        if work not in self._drawn:
            self._drawn[work] = self._worth.drawn(work, self._odds)
        # A hand that stays short brings the end, which is worse than any wait.
        short = -2.0 * COST_OF_CHECK * work
        limits = (self._deck, most)
        cards = best_taking(self._drawn[work], self._worth.hands, kept, row, limits, 0.0, short)
        return self._going_on * cards / COST_OF_CHECK - (1 - self._going_on) * work


class Harvest:
    """Make the most of the turns that the cards allow."""

    def __init__(self, plan: BedPlan, view: View) -> None:
        known = plan.known
        self._worth = worth_of_turns(known.variant)
        turns = turns_to_come(known, view)
        odds = known.odds(view["turn"], kinds(view["hand"]))
        self._drawn = self._worth.drawn(min(TURNS * PARTS, round(PARTS * turns)), odds)
        self._touch = sum(check.worth for check in plan.checks((), False)[:1])
        self._looks = [check.worth for check in plan.checks((), True)]
        price = PRICES[known.variant].card
        # With no turn to come a card has no price any more.
        self._card = price if turns > 0 else 0.0
        deck = view["deck"]
        self._deck = min(HAND_SIZE, deck)
        self._witch = price * known.witches / deck if deck else 0.0

    def playing(self, use: Use, kept: Cards, row: Cards) -> float:
        """See the protocol."""
        gain = self._touch + sum(self._looks[: use.looks]) - self._card * len(use.cards)
        return gain + self.drawing(kept, row, HAND_SIZE)

    def discarding(self, number: int, kept: Cards, row: Cards) -> float:
        """See the protocol."""
        return self.drawing(kept, row, HAND_SIZE) - self._card * number

    def drawing(self, kept: Cards, row: Cards, most: int) -> float:
        """See the protocol."""
        limits = (self._deck, most)
        return best_taking(self._drawn, self._worth.hands, kept, row, limits, self._witch, 0.0)
