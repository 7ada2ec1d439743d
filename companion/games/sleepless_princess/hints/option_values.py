"""The worth of every play, discard and draw of a hand, by the measure that fits the variant."""

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
"""Number of a player's further turns that the tables of hands look ahead.

Later turns change hardly anything.
"""
PARTS = 4
"""Steps into which the tables of hands divide a turn, to blend between whole turns."""
ROWS = 150
"""Number of random rows of open cards over which the worth of a draw is averaged."""


class Prices(NamedTuple):
    """Costs and gains of actions in checks: a check is a touch of a mattress or a look at it.

    A look counts 1. `touch`: what a touch counts.
    """

    touch: float
    card: float
    """What one card costs (checks), because an empty deck ends the game. Tuned by simulated games."""


PRICES = {"basic": Prices(0.67, 0.25), "5+": Prices(1.0, 0.2)}
"""Variant -> its prices.

In the basic game a touch is worth less, because every third mattress is smooth and tells nothing.
"""


@lru_cache(maxsize=4)
def worth_of_turns(variant: str) -> Worth:
    """Worth of each hand of a variant: checks (touches or looks) still to be gained with it.

    A stage of the table (see `Worth`) is the number of the player's turns to come, times PARTS.
    """
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
    """Worth of each set of kept cards, once the best open cards were taken.

    It is averaged over `rows`. `worth[index]`: of each set of cards. `growth`: see `Hands.growth`. `rows`:
    random rows of open cards, shape (rows, cards of a row), as indices of kinds.
    """
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
"""Cards that a team in a hurry draws in a turn: mean over simulated games."""
SWEPT = 2.0
"""Mean number of useful open cards that a witch sweeps away. Holds for each witch still in the deck."""
COST_OF_CHECK = 7.0
"""Cost of a check (touch or look) in cards: four for the play, three for most of a turn.

See TURN_COST: a whole turn counts as four cards.
"""


class Prospects(Protocol):
    """How good each choice for a hand is, in checks (touches or looks) gained.

    More is better; only differences matter.

    In all methods `kept` are the cards left in the hand, and `row` the open cards.
    """

    def playing(self, use: Use, kept: Cards, row: Cards) -> float:
        """Worth (checks) of a play.

        `use`: the play. `kept`: hand after it. `row`: open cards.
        """

    def discarding(self, number: int, kept: Cards, row: Cards) -> float:
        """Worth (checks) of discarding `number` cards.

        `kept`: hand after it. `row`: open cards.
        """

    def drawing(self, kept: Cards, row: Cards, most: int) -> float:
        """Worth (checks) of filling up a hand the best way.

        `kept`: the hand. `row`: open cards, of which at most `most` are taken.
        """


def prospects(plan: BedPlan, view: View) -> Prospects:
    """The measure of the choices of `view`'s player.

    `Race` (cards needed to finish) in the basic game; `Harvest` (checks gained in a limited time) in 5+ and in
    silent games.
    """
    return Race(plan, view) if _racing(plan.known.variant, view["silent"]) else Harvest(plan, view)


def _racing(variant: str, silent: bool) -> bool:
    """True for the basic game that is not silent."""
    return variant == BASIC.name and not silent


def prepare(variant: str, players: int, *, silent: bool = False) -> None:
    """Compute the tables of hands of a variant in advance: a few tenths of a second at the first call.

    `players`: number of players. `silent`: players keep secret what they felt or saw.
    """
    if _racing(variant, silent):
        cards_needed(players)
    else:
        worth_of_turns(variant)


def to_be_taken(ahead: Prospects, hand: Cards, row: Cards, deck: int) -> Cards:
    """Open cards that a player should take, in order, before the deck is better.

    `ahead`: measures choices. `hand`: the player's cards. `row`: open cards. `deck`: number of cards in the
    deck.
    """
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
    """Estimated number of this player's turns after the running one.

    0 once the end of the game is triggered.
    """
    if view["last_turns"] is not None:
        return 0.0
    left: float = view["deck"] + len(view["row"]) - SWEPT * known.witches
    players: int = view["players"]
    return max(0.0, (left / CARDS_A_TURN + 1) / players)


class Race:
    """Values choices for a team that wants to finish before the cards run out.

    In the last turn only checks count.
    """

    def __init__(self, plan: BedPlan, view: View) -> None:
        self._worth = cards_needed(view["players"])
        self._odds = plan.known.odds(view["turn"], kinds(view["hand"]))
        # Without work left, a hand is valued as if one check were still to come.
        self._work = min(MOST_WORK, max(1, plan.work_left()))
        # Without an earlier look a touch meets the present bottom mattress, which may be known to be smooth.
        telling = [plan.telling(check) for check in plan.checks((), False)]
        self._touch = max(telling, default=0.0) if plan.work_left() else TOUCH
        self._going_on = min(1.0, turns_to_come(plan.known, view))
        self._deck = min(HAND_SIZE, view["deck"])
        self._drawn: dict[int, Sequence[float]] = {}

    def playing(self, use: Use, kept: Cards, row: Cards) -> float:
        """Worth (checks) of the play `use`, with the hand `kept` after it and the open cards `row`."""
        felt, not_felt = (self._after(use.looks + more, kept, row, HAND_SIZE) for more in (1, 0))
        touch = TOUCH if use.looks else self._touch
        return touch * felt + (1 - touch) * not_felt - self._price(len(use.cards))

    def discarding(self, number: int, kept: Cards, row: Cards) -> float:
        """Worth (checks) of discarding `number` cards, with the hand `kept` after it and the open
        cards `row`."""
        return self.drawing(kept, row, HAND_SIZE) - self._price(number)

    def drawing(self, kept: Cards, row: Cards, most: int) -> float:
        """Worth (checks) of filling up the hand `kept`, with at most `most` cards from the open `row`."""
        return self._after(0, kept, row, most)

    def _price(self, cards: int) -> float:
        return self._going_on * cards / COST_OF_CHECK

    def _after(self, done: int, kept: Cards, row: Cards, most: int) -> float:
        """Worth (checks) of filling up the hand `kept`, after `done` checks, with at most `most` cards of
        `row`."""
        work = self._work - done
        if work <= 0:
            return 0.0
        if work not in self._drawn:
            self._drawn[work] = self._worth.drawn(work, self._odds)
        # A hand that stays short triggers the end, which is worse than any delay.
        short = -2.0 * COST_OF_CHECK * work
        limits = (self._deck, most)
        cards = best_taking(self._drawn[work], self._worth.hands, kept, row, limits, 0.0, short)
        return self._going_on * cards / COST_OF_CHECK - (1 - self._going_on) * work


class Harvest:
    """Values choices for a team that makes the most of a limited number of turns."""

    def __init__(self, plan: BedPlan, view: View) -> None:
        known = plan.known
        self._worth = worth_of_turns(known.variant)
        turns = turns_to_come(known, view)
        odds = known.odds(view["turn"], kinds(view["hand"]))
        self._drawn = self._worth.drawn(min(TURNS * PARTS, round(PARTS * turns)), odds)
        self._touch = sum(check.worth for check in plan.checks((), False)[:1])
        self._looks = [check.worth for check in plan.checks((), True)]
        price = PRICES[known.variant].card
        # Without a further turn a card has no price.
        self._card = price if turns > 0 else 0.0
        deck = view["deck"]
        self._deck = min(HAND_SIZE, deck)
        self._witch = price * known.witches / deck if deck else 0.0

    def playing(self, use: Use, kept: Cards, row: Cards) -> float:
        """Worth (checks) of the play `use`, with the hand `kept` after it and the open cards `row`."""
        gain = self._touch + sum(self._looks[: use.looks]) - self._card * len(use.cards)
        return gain + self.drawing(kept, row, HAND_SIZE)

    def discarding(self, number: int, kept: Cards, row: Cards) -> float:
        """Worth (checks) of discarding `number` cards, with the hand `kept` after it and the open
        cards `row`."""
        return self.drawing(kept, row, HAND_SIZE) - self._card * number

    def drawing(self, kept: Cards, row: Cards, most: int) -> float:
        """Worth (checks) of filling up the hand `kept`, with at most `most` cards from the open `row`."""
        limits = (self._deck, most)
        return best_taking(self._drawn, self._worth.hands, kept, row, limits, self._witch, 0.0)
