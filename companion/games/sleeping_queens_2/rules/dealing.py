"""The start of a game (rulebook, "Set Up").

>>> from random import Random
>>> from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS
>>> state = setup("standard", 2, Random(1), DEFAULT_PARTS)
>>> state.phase.name, len(state.cells), len(state.discard)
('ROLL', 10, 1)
"""

from random import Random

from companion.games.queens.table_rules import check_size
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
    """Set up a game ready for the first roll, with every card known. `parts`: printed parts of the box.

    ValueError names an unknown variant or number of players.
    """
    check_size(variant, players, VARIANT, PLAYERS)
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
    """A game before knights are given and the discard pile begins, with all cards unknown.

    `parts`: printed parts of the box. ValueError names an unknown variant or number of players.
    """
    check_size(variant, players, VARIANT, PLAYERS)
    knights = (Knight.UNKNOWN,) * players
    return _begun(players, (UNKNOWN,) * DECK_CARDS, (UNKNOWN,) * CELLS, knights, parts)


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
