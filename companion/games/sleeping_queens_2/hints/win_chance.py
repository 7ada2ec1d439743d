"""A small neural network: each player's chance to win.

It applies between two turns. Facts (about 0 to 1) describe each player, from the asking one to the left, and
the table. One hidden layer of rectifiers, one output for each player, to which that player's facts also add
directly. Chances are the softmax of the outputs. `fit_win_chance` makes the weights in `win_chance.json`.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.games.sleeping_queens_2.hints.player_knowledge import (
    matched,
    symbols_of,
    to_fetch,
    undrawn,
)
from companion.games.sleeping_queens_2.rules.equations import equations
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    COMPANIONS,
    DECK_CARDS,
    EMPTY,
    GNOME,
    LIMIT,
    NUMBERS,
    QUEENS,
    WILLOW,
    WITCH,
    Knight,
    kings_to_win,
)
from companion.games.sleeping_queens_2.rules.parts import ANY, Parts
from companion.games.sleeping_queens_2.rules.state import PLAYERS, Cards, State

Facts = tuple[float, ...]
Floats = NDArray[np.float64]
WEIGHTS = Path(__file__).with_name("win_chance.json")
SEATS = PLAYERS[-1]
_KNIGHTS = tuple(knight for knight in Knight if knight is not Knight.UNKNOWN)
FACTS = (
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
    *(f"kings wanted: {number}" for number in (1, 2, 3, 4)),
    *(f"kings wanted beside those awake queens can rescue: {number}" for number in (0, 1, 2)),
    *(f"kings wanted beside those all queens can rescue: {number}" for number in (0, 1, 2)),
    "an equation, share of companions that find a queen",
    "share of numbers times share of companions",
    *(f"turns of others before: {seat}" for seat in range(SEATS)),
    *(f"all kings in reach, turns of others before: {seat}" for seat in range(SEATS)),
    *(f"all kings in reach of a willow shield, turns of others before: {seat}" for seat in range(SEATS)),
    "kings awake queens can rescue, of 3",
    "queens, of 4",
    "companions without a queen, of 3",
    "cards that count for the limit, of 6",
    "cards below the limit, of 5",
    "a spell book makes the first equation",
    "a spell book makes a pair for queens asleep",
    "share of two numbers that make an equation, times share of companions",
    "share of two numbers that make an equation",
    "queens with a companion whom others have a companion for, of 2",
    "queens without a companion whom others have one for, of 2",
    "kings queens asleep can rescue, of 2",
    "companions, of 3",
    "a queen of the discard pile fits a companion",
    "different numbers, of 5",
    "a spell book makes the first equation, share of companions",
    "kings all queens can rescue, of 3",
)
"""Names of the network inputs that describe one player, in order."""
DRAW_FACTS = (
    "draw pile, of all its cards",
    "gnomes among the cards drawn next, of a fifth",
    "witches among them, of a fifth",
    "willows among them, of a fifth",
    "numbers among them",
    "queens among them, of a quarter",
)
TABLE_FACTS = (
    *(f"players: {players}" for players in PLAYERS),
    *DRAW_FACTS,
    "companions face down, of 10",
    "companions face up, of 10",
    "the companion of every queen among those fetched next, of a quarter",
    "queens on the discard pile, of 6",
)
"""Names of the network inputs that describe piles, grid and number of players, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Weights of the network that estimates players' chances to win.

    Two objects are equal only if they are the same object, so that they can be a cache's key.
    """

    seats: Floats
    """Weights of inputs on players, shape (SEATS, len(FACTS), hidden units + 1).

    FACTS names a player's inputs. The last column leads directly to the player's output.
    """
    table: Floats
    """Weights of inputs on piles and grid, shape (TABLE_FACTS, hidden units)."""
    bias: Floats
    """Bias of each hidden unit."""
    output: Floats
    """Weights from hidden units to outputs, shape (SEATS, hidden units)."""
    output_bias: Floats
    """Bias of each player's output."""

    def parts(self) -> tuple[Floats, ...]:
        """All arrays: seats, table, bias, output, output_bias."""
        return self.seats, self.table, self.bias, self.output, self.output_bias


@cache
def fitted(path: Path = WEIGHTS) -> Weights:
    """Read the network's weights, by default the shipped JSON file."""
    read = json.loads(path.read_text(encoding="utf-8"))
    rows = read["facts"]
    return Weights(
        np.array([[rows[fact][seat] for fact in FACTS] for seat in range(SEATS)]),
        np.array([read["table"][fact] for fact in TABLE_FACTS]),
        np.array(read["bias"]),
        np.array(read["output"]),
        np.array(read["output_bias"]),
    )


class Standing(NamedTuple):
    """Facts of one player between turns, for the network.

    `realm`, `asleep`, `companions`: kinds of the player's cards. `knight`: the player's. `parts`: printed
    parts. A symbol is a letter printed on queens and companions; equal symbols fit.
    """

    realm: Cards
    asleep: Cards
    companions: Cards
    wanted: int
    """Number of kings that the player has to rescue yet to win."""
    knight: int
    seat: int
    """Number of other players' turns before this player's next turn."""
    pool: Cards
    """Companions among which the next one is taken."""
    sought: str
    """Symbols of other players' companions, sorted. ANY fits every queen."""
    numbers: Cards
    """Different numbers on the discard pile, of which a spell book can take one.

    () if the player has no spell book.
    """
    queens: str
    """Symbols of queens on the discard pile. "" if the player has no companion."""
    parts: Parts


def standings(state: State, player: int) -> Iterator[Standing]:
    """Standing of each player, from `player` (from 0) to the left.

    The state's phase is ROLL.
    """
    players, turn, parts, pool = state.players, state.turn, state.parts, to_fetch(state)
    sought = _sought(state.companions, parts.companions)
    numbers, queens, _ = _of_discard(state.discard, parts.queens)
    for seat in range(players):
        at = (player + seat) % players
        realm, companions = state.realms[at], state.companions[at]
        yield Standing(
            realm,
            state.asleep[at],
            companions,
            kings_to_win(players) - state.kings[at],
            state.knights[at],
            (at - turn) % players,
            pool,
            sought[at],
            numbers if BOOK in realm else (),
            queens if companions else "",
            parts,
        )


@lru_cache(maxsize=1 << 12)
def _sought(companions: tuple[Cards, ...], letters: str) -> tuple[str, ...]:
    """For each player, the sorted symbols of all other players' companions.

    `companions`: each player's. `letters`: symbol of each of the ten companions.
    """
    symbols = [{letters[card - COMPANIONS.start] for card in own} for own in companions]
    return tuple(
        "".join(sorted(set().union(*(one for at, one in enumerate(symbols) if at != player))))
        for player in range(len(symbols))
    )


@lru_cache(maxsize=1 << 12)
def _of_discard(discard: Cards, letters: str) -> tuple[Cards, str, int]:
    """(different numbers, symbols of queens, number of queens) on the discard pile.

    `letters`: the symbol of each queen.
    """
    queens = [letters[card - QUEENS.start] for card in discard if card in QUEENS]
    numbers = tuple(sorted({card for card in discard if card in NUMBERS}))
    return numbers, "".join(sorted(set(queens))), len(queens)


def draw_facts(state: State) -> Facts:
    """Network inputs on the cards that may be drawn next, in the order of DRAW_FACTS."""
    left = undrawn(state) if state.deck else Counter(state.discard)
    cards = max(1, left.total())
    return (
        len(state.deck) / DECK_CARDS,
        *(5.0 * left[kind] / cards for kind in (GNOME, WITCH, WILLOW)),
        sum(left[kind] for kind in NUMBERS) / cards,
        4.0 * sum(left[kind] for kind in QUEENS) / cards,
    )


def table_facts(state: State, draws: Facts) -> Facts:
    """Network inputs on piles, grid and number of players.

    The inputs are ordered as TABLE_FACTS. `draws`: result of `draw_facts` for this turn.
    """
    parts, pool, cells = state.parts, to_fetch(state), len(COMPANIONS)
    face_up = sum(state.face_up)
    return (
        *_one_of(state.players - PLAYERS[0], len(PLAYERS)),
        *draws,
        (cells - state.cells.count(EMPTY) - face_up) / cells,
        face_up / cells,
        4.0 * _number_of_any(pool, parts.companions) / max(1, len(pool)),
        _of_discard(state.discard, parts.queens)[2] / 6.0,
    )


@lru_cache(maxsize=1 << 12)
def _number_of_any(companions: Cards, letters: str) -> int:
    return symbols_of(companions, letters, COMPANIONS)[ANY]


def chance(weights: Weights, state: State, player: int, draws: Facts | None = None) -> float:
    """Winning chance (0 to 1) of `player` by hints.

    Players count from 0 and play by hints. The state's phase is ROLL. `weights`: of the network. `draws`:
    result of `draw_facts` for an earlier state of this turn; None: computed here.
    """
    table = table_facts(state, draw_facts(state) if draws is None else draws)
    seats = [_seat_layer(weights, seat, own) for seat, own in enumerate(standings(state, player))]
    units = np.maximum(_table_layer(weights, table) + sum(layer for layer, _ in seats), 0.0)
    outputs = weights.output[: len(seats)] @ units + np.array([output for _, output in seats])
    return float(1.0 / np.exp(outputs - outputs[0]).sum())


@lru_cache(maxsize=1 << 13)
def _seat_layer(weights: Weights, seat: int, own: Standing) -> tuple[Floats, float]:
    """One player's part in the network: (sums for the hidden units, sum for that player's output).

    `seat`: number of places to the left of the asking player. `own`: the player's standing.
    """
    added = np.array(facts(own)) @ weights.seats[seat]
    return added[:-1], float(added[-1] + weights.output_bias[seat])


@lru_cache(maxsize=1 << 10)
def _table_layer(weights: Weights, table: Facts) -> Floats:
    layer: Floats = np.array(table) @ weights.table + weights.bias
    return layer


def facts(own: Standing) -> Facts:
    """Network inputs on one player, in the order of FACTS. `own`: the player's standing."""
    realm, asleep, knight = own.realm, own.asleep, own.knight
    numbers = tuple(card for card in realm if card in NUMBERS)
    queens = _queens(
        tuple(card for card in realm if card in QUEENS),
        asleep,
        own.companions,
        own.sought,
        own.queens,
        own.parts,
    )
    held, books = len(realm) + len(asleep), realm.count(BOOK)
    opened, (first, one_more, two_more) = _equation_facts(numbers, knight == Knight.MATH)
    paired, pair = _pair_facts(numbers, bool(asleep))
    found = _finding_share(own.pool, queens.lone, own.parts.companions) if queens.lone else 0.0
    opens, wakes = _book_facts(own, numbers, not first and one_more > 0.0, bool(asleep) and not pair)
    missing, due = max(0, own.wanted - queens.ready), max(0, own.wanted - queens.pairs)
    turn = own.seat if missing == 0 else -1
    return (
        *queens.first,
        *opened,
        *paired,
        *_at_least(books, 2),
        *_at_least(len(numbers), 6),
        *_one_of(knight, len(_KNIGHTS)),
        float(knight == Knight.WILLOW and queens.ready > 0),
        float(knight == Knight.WITCH and queens.pairs > 0),
        *_one_of(own.wanted - 1, 4),
        *_one_of(missing, 3),
        *_one_of(due, 3),
        first * found,
        one_more * found,
        *_one_of(own.seat, SEATS),
        *_one_of(turn, SEATS),
        *_one_of(turn if knight == Knight.WILLOW else -1, SEATS),
        *queens.second,
        held / 6.0,
        (LIMIT + (knight == Knight.SIX) - held) / 5.0,
        opens,
        wakes,
        two_more * found,
        two_more,
        *queens.third,
        len(set(numbers)) / 5.0,
        opens * found,
        queens.pairs / 3.0,
    )


class _Queens(NamedTuple):
    """Network inputs on a player's queens and companions together, and the counts behind them."""

    ready: int
    """Number of kings that the player could rescue with awake queens alone."""
    pairs: int
    """Number of kings that the player could rescue with all queens, sleeping ones included."""
    lone: frozenset[str]
    """Symbols of queens for whom the player has no companion."""
    first: Facts
    second: Facts
    third: Facts
    """Third of the groups of facts on queens and companions, ordered as FACTS."""


@lru_cache(maxsize=1 << 14)
def _queens(awake: Cards, asleep: Cards, companions: Cards, sought: str, lying: str, parts: Parts) -> _Queens:
    """Network inputs on a player's queens (`awake`, `asleep`) and `companions` together.

    `sought`: symbols of other players' companions. `lying`: symbols of queens on the discard pile.
    """
    symbols = symbols_of(companions, parts.companions, COMPANIONS)
    queens = symbols_of(awake + asleep, parts.queens, QUEENS)
    ready, _, _ = matched(symbols_of(awake, parts.queens, QUEENS), symbols)
    pairs, lone, free = matched(queens, symbols)
    wooed = {symbol: number for symbol, number in queens.items() if symbol in sought or ANY in sought}
    safe = sum(min(number, symbols[symbol]) for symbol, number in wooed.items())
    single = sum(number for symbol, number in wooed.items() if not symbols[symbol])
    return _Queens(
        ready,
        pairs,
        frozenset(lone),
        (
            *_at_least(len(lone), 3),
            float(lone.total() - len(lone)),
            *_at_least(len(asleep), 3),
            *_at_least(free.total(), 3),
            float(ANY in free),
        ),
        (ready / 3.0, queens.total() / 4.0, free.total() / 3.0),
        (
            safe / 2.0,
            single / 2.0,
            (pairs - ready) / 2.0,
            len(companions) / 3.0,
            float(any(ANY in free or symbols[symbol] > queens[symbol] for symbol in lying)),
        ),
    )


@cache
def _at_least(number: int, most: int) -> Facts:
    """Thermometer code of a number, of length `most`.

    It is 1 at the first `number` places, else 0.
    """
    return tuple(float(number >= place) for place in range(1, most + 1))


@cache
def _one_of(which: int, number: int) -> Facts:
    """One-hot code of length `number`.

    1 at index `which`; all 0 for -1.
    """
    return tuple(float(place == which) for place in range(number))


@lru_cache(maxsize=1 << 14)
def _finding_share(pool: Cards, lone: frozenset[str], letters: str) -> float:
    """Share (0 to 1) of the companions `pool` that fit a queen with a symbol in `lone`.

    `letters`: symbol of each companion.
    """
    symbols = symbols_of(pool, letters, COMPANIONS)
    fitting = sum(number for symbol, number in symbols.items() if symbol == ANY or symbol in lone)
    return fitting / symbols.total() if pool else 0.0


@lru_cache(maxsize=1 << 16)
def _equation_facts(numbers: Cards, knight: bool) -> tuple[Facts, Facts]:
    """Two groups of facts about equations with a player's number cards.

    First: an equation exists (0 or 1), a second one exists, share of numbers that would make the first. Second:
    an equation exists, share of numbers that would make it, share of two drawn numbers that would. `knight`:
    the knight of plus or minus one helps.
    """
    found = equations(numbers, knight)
    if found:
        left = (tuple((Counter(numbers) - Counter(cards)).elements()) for cards in found)
        return (1.0, float(any(equations(rest, knight) for rest in left)), 0.0), (1.0, 0.0, 0.0)
    opening = {number for number in NUMBERS if _opens(numbers, knight, number)}
    pairs = [
        number in opening or other in opening or _opens(numbers, knight, number, other)
        for number in NUMBERS
        for other in NUMBERS
    ]
    share = len(opening) / len(NUMBERS)
    return (0.0, 0.0, share), (0.0, share, sum(pairs) / len(pairs))


def _opens(numbers: Cards, knight: bool, *more: int) -> bool:
    """True if `numbers` and `more` together contain an equation.

    `knight`: the knight of plus or minus one helps.
    """
    return bool(equations(tuple(sorted((*numbers, *more))), knight))


def _pair_facts(numbers: Cards, asleep: bool) -> tuple[Facts, bool]:
    """(facts, True if a pair can wake queens) from a player's number cards.

    Facts: 1 if a pair can wake queens, else 0; share of numbers that would make such a pair. `asleep`: a queen
    of the player sleeps; if none does, the result is ((0, 0), False).
    """
    if not asleep:
        return (0.0, 0.0), False
    different = len(set(numbers))
    pair = different < len(numbers)
    return (float(pair), 0.0 if pair else different / len(NUMBERS)), pair


def _book_facts(own: Standing, numbers: Cards, equation: bool, pair: bool) -> tuple[float, float]:
    """What a spell book could take from the discard pile: (0 or 1, 0 or 1).

    First: a number that makes an equation. Second: one that makes a pair. `own`: the player's standing.
    `equation`, `pair`: the player lacks this; if False, its value is 0.
    """
    math = own.knight == Knight.MATH
    return (
        float(equation and any(_opens(numbers, math, number) for number in own.numbers)),
        float(pair and any(number in numbers for number in own.numbers)),
    )
