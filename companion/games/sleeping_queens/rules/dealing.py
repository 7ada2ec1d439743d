"""The start of a game (rulebook, second paragraph of the set-up).

>>> from random import Random
>>> state = setup("basic", 3, Random(1))
>>> [len(hand) for hand in state.hands], len(state.deck)
([5, 5, 5], 52)
"""

from random import Random

from companion.games.queens.table_rules import check_size
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
    COPIES,
    HAND,
    HAND_CARDS,
    UNKNOWN,
    UNKNOWN_QUEEN,
)
from companion.games.sleeping_queens.rules.state import PLAYERS, VARIANT, Phase, State


def setup(variant: str, players: int, chance: Random) -> State:
    """Deal a game with every card known. ValueError names an unknown variant or number of players."""
    check_size(variant, players, VARIANT, PLAYERS)
    deck = [kind for kind, copies in enumerate(COPIES) for _ in range(copies)]
    queens = list(range(CELLS))
    chance.shuffle(deck)
    chance.shuffle(queens)
    hands = tuple(tuple(sorted(deck[HAND * n : HAND * n + HAND])) for n in range(players))
    return _begun(players, hands, tuple(deck[HAND * players :]), tuple(queens))


def empty_table(variant: str, players: int) -> State:
    """A dealt game with all cards unknown. ValueError names an unknown variant or number of players."""
    check_size(variant, players, VARIANT, PLAYERS)
    hands = ((UNKNOWN,) * HAND,) * players
    return _begun(players, hands, (UNKNOWN,) * (HAND_CARDS - HAND * players), (UNKNOWN_QUEEN,) * CELLS)


def _begun(
    players: int, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...], cells: tuple[int, ...]
) -> State:
    return State(
        players=players,
        phase=Phase.PLAY,
        turn=0,
        acting=0,
        hands=hands,
        deck=deck,
        discard=(),
        fresh=0,
        played=(),
        cells=cells,
        seen=(False,) * CELLS,
        awake=((),) * players,
        target=-1,
        turns=1,
    )
