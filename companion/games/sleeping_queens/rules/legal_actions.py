"""All legal actions of a state."""

from collections.abc import Iterator
from functools import lru_cache

from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    Discard,
    Power,
    PutToSleep,
    Refill,
    Reveal,
    Shuffle,
    Target,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.equations import Cards, discards
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    COPIES,
    EMPTY,
    ENEMY,
    JESTER,
    KING,
    KNIGHT,
    POTION,
    UNKNOWN,
)
from companion.games.sleeping_queens.rules.state import Phase, State

REFILL, DEFEND, YIELD, REVEAL, SHUFFLE = Refill(), Defend(), Yield(), Reveal(), Shuffle()


def legal_actions(state: State) -> tuple[Action, ...]:
    """Every legal action of the acting player, or chance.

    Empty if the game is over.

    Actions name no hidden card and no order of a shuffle; `spell_out` and `shuffled` add them.
    """
    match state.phase:
        case Phase.PLAY:
            return tuple(_plays(state))
        case Phase.TARGET:
            return tuple(Target(queen) for queen in targets(state, attacker(state)))
        case Phase.ANSWER:
            return (DEFEND, YIELD) if _may_hold(state, state.acting, ANSWER_TO[attacker(state)]) else (YIELD,)
        case Phase.SLEEP:
            return tuple(PutToSleep(cell) for cell, queen in enumerate(state.cells) if queen == EMPTY)
        case Phase.JESTER:
            return (REVEAL,) if state.deck else (SHUFFLE,)
        case Phase.WAKE:
            return tuple(Wake(cell) for cell, queen in enumerate(state.cells) if queen != EMPTY)
        case Phase.REFILL:
            return (REFILL,) if not runs_out(state) else (SHUFFLE,)
    return ()


def attacker(state: State) -> int:
    """Attacking card of this turn: knight or potion.

    0 if none was played.
    """
    return KNIGHT if KNIGHT in state.played else POTION if POTION in state.played else 0


def targets(state: State, kind: int) -> tuple[int, ...]:
    """Numbers of queens that a knight or potion may attack.

    They are other players' queens. `kind`: KNIGHT or POTION, played by the player on turn. No knight may bring
    Cat and Dog together: a decision, not in the rulebook.
    """
    own = state.awake[state.turn]
    return tuple(
        queen
        for player, queens in enumerate(state.awake)
        if player != state.turn
        for queen in queens
        if kind == POTION or ENEMY.get(queen) not in own
    )


def useful(state: State, kind: int) -> bool:
    """True if this kind of power card has effects now.

    A king needs a sleeping queen, a knight or potion a queen to attack. A jester always has an effect.
    """
    if kind == KING:
        return any(queen != EMPTY for queen in state.cells)
    return kind == JESTER or (kind in ANSWER_TO and bool(targets(state, kind)))


def _plays(state: State) -> Iterator[Action]:
    hand = state.hands[state.turn]
    for kind in (KING, JESTER, KNIGHT, POTION):
        if _may_hold(state, state.turn, kind) and useful(state, kind):
            yield _POWERS[kind]
    unknown = hand.count(UNKNOWN)
    # Limiting copies to the number of unknown cards changes no result and makes the cache smaller.
    unseen = tuple(min(unknown, copies) for copies in all_unseen(state)) if unknown else ()
    yield from _discards(hand, unseen)


@lru_cache(maxsize=1 << 16)
def _discards(hand: Cards, unseen: Cards) -> tuple[Discard, ...]:
    return tuple(map(Discard, discards(hand, unseen)))


def copies_unseen(state: State, kind: int) -> int:
    """Number of cards of a kind that are not known to lie anywhere in `state`."""
    left = COPIES[kind] - state.deck.count(kind) - state.discard.count(kind) - state.played.count(kind)
    for hand in state.hands:
        left -= hand.count(kind)
    return left


def all_unseen(state: State) -> list[int]:
    """Number of cards of each kind (the index) that are not known to lie anywhere in `state`."""
    left = list(COPIES)
    for cards in (*state.hands, state.deck, state.discard, state.played):
        for kind in cards:
            left[kind] -= 1
    return left


def _may_hold(state: State, player: int, kind: int) -> bool:
    hand = state.hands[player]
    return kind in hand or (UNKNOWN in hand and copies_unseen(state, kind) > 0)


_POWERS = {kind: Power(kind) for kind in range(1, len(COPIES))}


def runs_out(state: State) -> bool:
    """True if the draw pile cannot fill all hands, and other cards can be shuffled."""
    return len(state.deck) < short(state) and bool(state.discard or state.played)


def short(state: State) -> int:
    """Number of cards that all hands together lack.

    A full hand has five.
    """
    return sum(5 - len(hand) for hand in state.hands)
