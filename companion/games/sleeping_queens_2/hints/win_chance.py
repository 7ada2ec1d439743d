"""The chance to win between two turns: each player's strength is a weighted sum of what lies before them.

Chances go with the exponentials of strengths (a conditional logit, McFadden 1974). The weights lie in
`win_chance.json`, one a fact, in nats: a fact of weight 0.7 doubles the odds. `fit_win_chance` makes such.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from math import exp
from operator import mul
from pathlib import Path
from typing import NamedTuple

from companion.games.sleeping_queens_2.hints.player_knowledge import to_fetch
from companion.games.sleeping_queens_2.rules.equations import equations
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    COMPANIONS,
    NUMBERS,
    QUEENS,
    Knight,
    kings_to_win,
)
from companion.games.sleeping_queens_2.rules.parts import ANY, Parts
from companion.games.sleeping_queens_2.rules.state import PLAYERS, Cards, State

Facts = tuple[float, ...]
WEIGHTS = Path(__file__).with_name("win_chance.json")
_SEATS = range(PLAYERS[-1])
FACTS = (
    *(f"kings wanted: {number}" for number in (1, 2, 3, 4)),
    *(f"kings wanted beside those awake queens can rescue: {number}" for number in (0, 1, 2)),
    *(f"kings wanted beside those all queens can rescue: {number}" for number in (0, 1, 2)),
    *(f"symbols of queens without a companion: {number} or more" for number in (1, 2, 3)),
    "further queens of these symbols",
    *(f"queens asleep: {number} or more" for number in (1, 2, 3)),
    *(f"companions without a queen: {number} or more" for number in (1, 2, 3)),
    "the companion of every queen is free",
    "an equation",
    "two equations",
    "share of numbers that make the first equation",
    "an equation, share of companions that find a queen",
    "share of numbers times share of companions",
    "a pair for queens asleep",
    "share of numbers that make a pair for queens asleep",
    *(f"spell books: {number} or more" for number in (1, 2)),
    *(f"numbers: {number} or more" for number in range(1, 7)),
    *(f"knight: {knight.name.lower()}" for knight in Knight if knight is not Knight.UNKNOWN),
    "willow shield, awake queens can rescue",
    "witch shield, queens can rescue",
    *(f"turns of others before: {seat}" for seat in _SEATS),
    *(f"all kings in reach, turns of others before: {seat}" for seat in _SEATS),
    *(f"all kings in reach of a willow shield, turns of others before: {seat}" for seat in _SEATS),
)
"""What is counted of a player, in this order."""


@cache
def fitted(path: Path = WEIGHTS) -> Facts:
    """The weights of a file, by default those that come with the program, in the order of FACTS."""
    read: Mapping[str, float] = json.loads(path.read_text(encoding="utf-8"))
    return tuple(float(read[fact]) for fact in FACTS)


class Standing(NamedTuple):
    """What counts of one player between two turns."""

    realm: Cards
    asleep: Cards
    companions: Cards
    wanted: int
    """Kings still to be rescued."""
    knight: int
    seat: int
    """Turns of others before theirs."""
    pool: Cards
    """The companions one of which is fetched next."""
    parts: Parts


def standing(state: State, player: int, pool: Cards | None = None) -> Standing:
    """A player's (from 0) in a state whose phase is ROLL; `pool` is `to_fetch(state)` if that is known."""
    return Standing(
        state.realms[player],
        state.asleep[player],
        state.companions[player],
        kings_to_win(state.players) - state.kings[player],
        state.knights[player],
        (player - state.turn) % state.players,
        to_fetch(state) if pool is None else pool,
        state.parts,
    )


@lru_cache(maxsize=1 << 18)
def strength(weights: Facts, own: Standing) -> float:
    """The weighted sum of a player's facts, nats."""
    return float(sum(map(mul, weights, facts(own))))


def chances(weights: Facts, state: State) -> tuple[float, ...]:
    """Each player's chance to win, 0 to 1, in a state whose phase is ROLL."""
    pool = to_fetch(state)
    powers = [exp(strength(weights, standing(state, player, pool))) for player in range(state.players)]
    total = sum(powers)
    return tuple(power / total for power in powers)


def facts(own: Standing) -> Facts:
    """What is counted of a player, in the order of FACTS."""
    realm, asleep, knight, wanted, seat, parts = (
        own.realm,
        own.asleep,
        own.knight,
        own.wanted,
        own.seat,
        own.parts,
    )
    awake = tuple(card for card in realm if card in QUEENS)
    numbers = tuple(card for card in realm if card in NUMBERS)
    symbols = _symbols(own.companions, parts.companions, COMPANIONS)
    ready, _, _ = matched(_symbols(awake, parts.queens, QUEENS), symbols)
    pairs, lone, free = matched(_symbols(awake + asleep, parts.queens, QUEENS), symbols)
    missing, due = max(0, wanted - ready), max(0, wanted - pairs)
    pool = _symbols(own.pool, parts.companions, COMPANIONS)
    fitting = sum(number for symbol, number in pool.items() if symbol == ANY or symbol in lone)
    found = fitting / pool.total() if lone and pool else 0.0
    first, second, share = _equation_facts(numbers, knight == Knight.MATH)
    books = realm.count(BOOK)
    at_once = missing == 0
    return (
        *(float(wanted == number) for number in (1, 2, 3, 4)),
        *(float(missing == number) for number in (0, 1, 2)),
        *(float(due == number) for number in (0, 1, 2)),
        *(float(len(lone) >= number) for number in (1, 2, 3)),
        float(lone.total() - len(lone)),
        *(float(len(asleep) >= number) for number in (1, 2, 3)),
        *(float(free.total() >= number) for number in (1, 2, 3)),
        float(ANY in free),
        first,
        second,
        share,
        first * found,
        share * found,
        *_pair_facts(numbers, bool(asleep)),
        *(float(books >= number) for number in (1, 2)),
        *(float(len(numbers) >= number) for number in range(1, 7)),
        *(float(knight == one) for one in Knight if one is not Knight.UNKNOWN),
        float(knight == Knight.WILLOW and ready > 0),
        float(knight == Knight.WITCH and pairs > 0),
        *(float(seat == one) for one in _SEATS),
        *(float(at_once and seat == one) for one in _SEATS),
        *(float(at_once and knight == Knight.WILLOW and seat == one) for one in _SEATS),
    )


def _symbols(cards: Cards, letters: str, kinds: range) -> Counter[str]:
    return Counter(letters[card - kinds.start] for card in cards)


def matched(queens: Counter[str], companions: Counter[str]) -> tuple[int, Counter[str], Counter[str]]:
    """How many kings queens and companions of these symbols rescue together, and who is left of both."""
    pairs = queens & companions
    lone, free = queens - pairs, companions - pairs
    number = pairs.total()
    for symbol in list(lone.elements())[: free[ANY]]:
        number += 1
        lone = lone - Counter({symbol: 1})
        free = free - Counter({ANY: 1})
    return number, lone, free


@lru_cache(maxsize=1 << 16)
def _equation_facts(numbers: Cards, knight: bool) -> tuple[float, float, float]:
    """Whether there is an equation, a second one with other cards, and the share of numbers that make one."""
    found = equations(numbers, knight)
    if not found:
        more = sum(bool(equations(tuple(sorted((*numbers, number))), knight)) for number in NUMBERS)
        return 0.0, 0.0, more / len(NUMBERS)
    left = (tuple((Counter(numbers) - Counter(cards)).elements()) for cards in found)
    return 1.0, float(any(equations(rest, knight) for rest in left)), 0.0


def _pair_facts(numbers: Cards, asleep: bool) -> tuple[float, float]:
    """Whether a pair can wake queens, and the share of numbers that make such a pair."""
    if not asleep:
        return 0.0, 0.0
    different = len(set(numbers))
    pair = different < len(numbers)
    return float(pair), 0.0 if pair else different / len(NUMBERS)
