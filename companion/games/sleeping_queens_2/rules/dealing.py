"""The beginning of a game (rulebook, "Set Up")."""

from random import Random

from companion.games.sleeping_queens_2.rules.kinds import (
    CELLS,
    COMPANIONS,
    COPIES,
    DECK_CARDS,
    INSTANTS,
    MAIN_DECK,
    UNKNOWN,
    Knight,
    knights_for,
)
from companion.games.sleeping_queens_2.rules.parts import Parts
from companion.games.sleeping_queens_2.rules.state import PLAYERS, VARIANT, Cards, Phase, State


def setup(variant: str, players: int, chance: Random, parts: Parts) -> State:
    """A game ready for the first roll, every card known; ValueError for a variant or number of players that
    does not exist."""
    _check(variant, players)
    deck = [kind for kind in MAIN_DECK for _ in range(COPIES[kind])]
    cells = list(COMPANIONS)
    chance.shuffle(deck)
    while deck[-1] in INSTANTS:
        chance.shuffle(deck)
    chance.shuffle(cells)
    knights = tuple(chance.sample(knights_for(players), players))
    begun = _begun(players, tuple(deck[:-1]), tuple(cells), knights, parts)
    return begun._replace(phase=Phase.ROLL, discard=(deck[-1],), fresh=1)


def empty_table(variant: str, players: int, parts: Parts) -> State:
    """Before knights are given and the discard pile begins, nothing known: what a companion starts from."""
    _check(variant, players)
    knights = (Knight.UNKNOWN,) * players
    return _begun(players, (UNKNOWN,) * DECK_CARDS, (UNKNOWN,) * CELLS, knights, parts)


def _check(variant: str, players: int) -> None:
    if variant != VARIANT:
        raise ValueError(f"no variant {variant!r}; there is {VARIANT}")
    if players not in PLAYERS:
        raise ValueError(f"{VARIANT} is for {PLAYERS[0]} to {PLAYERS[-1]} players, not {players}")


def _begun(players: int, deck: Cards, cells: Cards, knights: Cards, parts: Parts) -> State:
    nothing: tuple[Cards, ...] = ((),) * players
    return State(
        players=players,
        phase=Phase.SETUP,
        turn=0,
        turns=1,
        draws=0,
        realms=nothing,
        asleep=nothing,
        companions=nothing,
        kings=(0,) * players,
        knights=knights,
        deck=deck,
        discard=(),
        fresh=0,
        drawn=(),
        played=0,
        carried=0,
        cells=cells,
        face_up=(False,) * CELLS,
        parts=parts,
    )
