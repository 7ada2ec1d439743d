"""The chance to win between two turns: each player's strength is a weighted sum of what lies before them.

Chances go with the exponentials of strengths (a conditional logit, McFadden 1974). The weights lie in
`win_chance.json`, two a fact, in nats: for the player who asks, who will follow hints, and for the others. A
fact of weight 0.7 doubles the odds. `fit_win_chance` makes such weights.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import exp
from operator import mul
from pathlib import Path
from typing import NamedTuple

from companion.games.sleeping_queens_2.hints.player_knowledge import matched, symbols_of, to_fetch
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
_KNIGHTS = tuple(knight for knight in Knight if knight is not Knight.UNKNOWN)
_CARD_FACTS = (
    *(f"symbols of queens without a companion: {number} or more" for number in (1, 2, 3)),
    "further queens of these symbols",
    *(f"queens asleep: {number} or more" for number in (1, 2, 3)),
    *(f"companions without a queen: {number} or more" for number in (1, 2, 3)),
    "the companion of every queen is free",
    "an equation",
    "two equations",
    "share of numbers that make the first equation",
    "a pair for queens asleep",
    "share of numbers that make a pair for queens asleep",
    *(f"spell books: {number} or more" for number in (1, 2)),
    *(f"numbers: {number} or more" for number in range(1, 7)),
    *(f"knight: {knight.name.lower()}" for knight in _KNIGHTS),
    "willow shield, awake queens can rescue",
    "witch shield, queens can rescue",
)
_RACE_FACTS = (
    *(f"kings wanted: {number}" for number in (1, 2, 3, 4)),
    *(f"kings wanted beside those awake queens can rescue: {number}" for number in (0, 1, 2)),
    *(f"kings wanted beside those all queens can rescue: {number}" for number in (0, 1, 2)),
    "an equation, share of companions that find a queen",
    "share of numbers times share of companions",
    *(f"turns of others before: {seat}" for seat in _SEATS),
    *(f"all kings in reach, turns of others before: {seat}" for seat in _SEATS),
    *(f"all kings in reach of a willow shield, turns of others before: {seat}" for seat in _SEATS),
)
FACTS = (*_CARD_FACTS, *_RACE_FACTS)
"""What is counted of a player, in this order: their cards and knight, then how near they are to the end."""


class Weights(NamedTuple):
    """What each fact adds to a strength, nats, in the order of FACTS."""

    you: Facts
    others: Facts


@cache
def fitted(path: Path = WEIGHTS) -> Weights:
    """The weights of a file, by default those that come with the program."""
    read: Mapping[str, Sequence[float]] = json.loads(path.read_text(encoding="utf-8"))
    you, others = (tuple(float(read[fact][table]) for fact in FACTS) for table in (0, 1))
    return Weights(you, others)


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


@lru_cache(maxsize=1 << 17)
def strength(weights: Facts, own: Standing) -> float:
    """The weighted sum of a player's facts, nats."""
    cards, worth = _weighed(weights, own.realm, own.asleep, own.companions, own.knight, own.parts)
    return worth + float(sum(map(mul, weights[len(_CARD_FACTS) :], _race_facts(own, cards))))


def chance(weights: Weights, state: State, player: int) -> float:
    """The chance to win, 0 to 1, of a player (from 0) who follows hints, in a state whose phase is ROLL."""
    pool = to_fetch(state)
    own, *others = (
        strength(
            weights.others if seat else weights.you, standing(state, (player + seat) % state.players, pool)
        )
        for seat in range(state.players)
    )
    return 1.0 / (1.0 + sum(exp(other - own) for other in others))


def facts(own: Standing) -> Facts:
    """What is counted of a player, in the order of FACTS."""
    cards = _cards(own.realm, own.asleep, own.companions, own.knight, own.parts)
    return (*cards.facts, *_race_facts(own, cards))


class _Cards(NamedTuple):
    """What a player's cards and knight are, whatever the others have."""

    facts: Facts
    ready: int
    """Kings that awake queens can rescue."""
    pairs: int
    """Kings that all queens can rescue."""
    lone: frozenset[str]
    """Symbols of queens without a companion."""
    first: float
    """Whether there is an equation."""
    share: float
    """Share of numbers that make the first one."""


@lru_cache(maxsize=1 << 17)
def _weighed(
    weights: Facts, realm: Cards, asleep: Cards, companions: Cards, knight: int, parts: Parts
) -> tuple[_Cards, float]:
    cards = _cards(realm, asleep, companions, knight, parts)
    return cards, float(sum(map(mul, weights, cards.facts)))


def _cards(realm: Cards, asleep: Cards, companions: Cards, knight: int, parts: Parts) -> _Cards:
    awake = tuple(card for card in realm if card in QUEENS)
    numbers = tuple(card for card in realm if card in NUMBERS)
    symbols = symbols_of(companions, parts.companions, COMPANIONS)
    ready, _, _ = matched(symbols_of(awake, parts.queens, QUEENS), symbols)
    pairs, lone, free = matched(symbols_of(awake + asleep, parts.queens, QUEENS), symbols)
    first, second, share = _equation_facts(numbers, knight == Knight.MATH)
    books = realm.count(BOOK)
    counted = (
        *(float(len(lone) >= number) for number in (1, 2, 3)),
        float(lone.total() - len(lone)),
        *(float(len(asleep) >= number) for number in (1, 2, 3)),
        *(float(free.total() >= number) for number in (1, 2, 3)),
        float(ANY in free),
        first,
        second,
        share,
        *_pair_facts(numbers, bool(asleep)),
        *(float(books >= number) for number in (1, 2)),
        *(float(len(numbers) >= number) for number in range(1, 7)),
        *(float(knight == one) for one in _KNIGHTS),
        float(knight == Knight.WILLOW and ready > 0),
        float(knight == Knight.WITCH and pairs > 0),
    )
    return _Cards(counted, ready, pairs, frozenset(lone), first, share)


def _race_facts(own: Standing, cards: _Cards) -> Facts:
    missing, due = max(0, own.wanted - cards.ready), max(0, own.wanted - cards.pairs)
    found = _finding_share(own.pool, cards.lone, own.parts.companions) if cards.lone else 0.0
    at_once = missing == 0
    return (
        *_one_of(own.wanted - 1, 4),
        *_one_of(missing, 3),
        *_one_of(due, 3),
        cards.first * found,
        cards.share * found,
        *_one_of(own.seat, len(_SEATS)),
        *_one_of(own.seat if at_once else -1, len(_SEATS)),
        *_one_of(own.seat if at_once and own.knight == Knight.WILLOW else -1, len(_SEATS)),
    )


@cache
def _one_of(which: int, number: int) -> Facts:
    """1 at one of so many places, 0 at the others; -1 is none of them."""
    return tuple(float(place == which) for place in range(number))


@lru_cache(maxsize=1 << 14)
def _finding_share(pool: Cards, lone: frozenset[str], letters: str) -> float:
    """The share of companions that fit a queen of one of these symbols."""
    symbols = symbols_of(pool, letters, COMPANIONS)
    fitting = sum(number for symbol, number in symbols.items() if symbol == ANY or symbol in lone)
    return fitting / symbols.total() if pool else 0.0


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
