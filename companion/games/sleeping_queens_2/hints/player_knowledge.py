"""The knowledge of the players: open cards, and what draw pile and face-down companions must hold."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from companion.games.sleeping_queens_2.rules.kinds import (
    COMPANIONS,
    COPIES,
    EMPTY,
    KIND_OF_TEXT,
    KIND_TEXT,
    MAIN_DECK,
    QUEENS,
    UNKNOWN,
    Knight,
)
from companion.games.sleeping_queens_2.rules.parts import ANY, DEFAULT_PARTS, Parts
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State

View = Mapping[str, Any]


def known_state(view: View, parts: Parts = DEFAULT_PARTS) -> State:
    """The state as players know it: draw pile and face-down companions are unknown.

    `view`: result of `RULES.view(state, player)`. `parts`: printed parts of the box, because no view has
    die and colours.
    """
    grid = view["grid"]
    return State(
        players=view["players"],
        phase=Phase[view["phase"].upper()],
        turn=view["turn"] - 1,
        turns=view["turns"],
        draws=view["draws"],
        realms=_piles(view["realms"]),
        asleep=_piles(view["asleep"]),
        companions=_piles(view["companions"]),
        kings=tuple(view["kings"]),
        knights=tuple(map(_knight, view["knights"])),
        deck=(UNKNOWN,) * view["deck"],
        discard=_cards(view["discard"]),
        fresh=0,
        drawn=_cards(view["drawn"]),
        played=KIND_OF_TEXT[view["played"]] if view["played"] else UNKNOWN,
        carried=KIND_OF_TEXT[view["carried"]] if view["carried"] else UNKNOWN,
        cells=tuple(KIND_OF_TEXT[text] if text else EMPTY for text in grid),
        face_up=tuple(text not in ("", KIND_TEXT[UNKNOWN]) for text in grid),
        parts=_with_symbols(parts, view["queen_symbols"], view["companion_symbols"]),
    )


def _piles(piles: list[list[str]]) -> tuple[Cards, ...]:
    return tuple(map(_cards, piles))


def _cards(names: list[str]) -> Cards:
    return tuple(map(KIND_OF_TEXT.__getitem__, names))


def _knight(name: str) -> int:
    return Knight.UNKNOWN if name == KIND_TEXT[UNKNOWN] else Knight[name.upper()]


@lru_cache(maxsize=8)
def _with_symbols(parts: Parts, queens: str, companions: str) -> Parts:
    return Parts(parts.die, queens, companions, parts.colours)


def undrawn(state: State) -> Counter[int]:
    """Number of cards of each kind in the draw pile: those of the box that lie nowhere else."""
    left = Counter({kind: COPIES[kind] for kind in MAIN_DECK})
    for pile in (*state.realms, *state.asleep, state.discard, state.drawn, (state.played,)):
        left.subtract(pile)
    return +Counter({kind: left[kind] for kind in MAIN_DECK})


def face_down(state: State) -> Cards:
    """Companions that lie face down in the grid, ascending: those of the box that lie nowhere else."""
    return _face_down(state.companions, state.cells, state.face_up, state.carried)


@lru_cache(maxsize=1 << 10)
def _face_down(companions: tuple[Cards, ...], cells: Cards, face_up: tuple[bool, ...], carried: int) -> Cards:
    seen = {kind for own in companions for kind in own} | {carried}
    seen.update(kind for kind, up in zip(cells, face_up, strict=True) if up)
    return tuple(kind for kind in COMPANIONS if kind not in seen)


def to_fetch(state: State) -> Cards:
    """Companions that a player may get from the grid, ascending.

    They are those face down; if none is, all of the grid, because these are shuffled first.
    """
    return face_down(state) or tuple(sorted(kind for kind in state.cells if kind in COMPANIONS))


def fitting_share(state: State, player: int) -> float | None:
    """Share (0 to 1) of the companions to be had that fit a lone queen of a player.

    `player`: from 0. Queens and companions of the player are paired as well as possible first. None if no queen
    is left over, or no companion can be taken.
    """
    parts = state.parts
    queens = symbols_of(
        [card for card in (*state.realms[player], *state.asleep[player]) if card in QUEENS],
        parts.queens,
        QUEENS,
    )
    own = symbols_of(state.companions[player], parts.companions, COMPANIONS)
    pool = symbols_of(to_fetch(state), parts.companions, COMPANIONS)
    pairs, lone, _ = matched(queens, own)
    if not lone or not pool:
        return None
    fitting = sum(
        number for symbol, number in pool.items() if matched(queens, own + Counter({symbol: 1}))[0] > pairs
    )
    return fitting / pool.total()


def symbols_of(cards: Iterable[int], letters: str, kinds: range) -> Counter[str]:
    """Number of cards with each symbol: symbol -> number.

    Cards not in `kinds` are skipped. `kinds`: kinds of all queens or of all companions. `letters`: the symbol
    of each of these, a letter each.
    """
    return Counter(letters[card - kinds.start] for card in cards)


def matched(queens: Counter[str], companions: Counter[str]) -> tuple[int, Counter[str], Counter[str]]:
    """(number of pairs, queens left, companions left).

    A pair is a queen with her companion. As many as possible are paired. Arguments and what is left: symbol ->
    number.
    """
    pairs = queens & companions
    lone, free = queens - pairs, companions - pairs
    number = pairs.total()
    for symbol in list(lone.elements())[: free[ANY]]:
        number += 1
        lone = lone - Counter({symbol: 1})
        free = free - Counter({ANY: 1})
    return number, lone, free
