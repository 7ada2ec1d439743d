"""Forbidden actions that the table may let stand."""

from companion.games.queens.table import with_value
from companion.games.sleeping_queens.rules.actions import DefendLate, Discard, Power, Target
from companion.games.sleeping_queens.rules.equations import readings
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    DRAGON,
    EMPTY,
    KING,
    KNIGHT,
    NUMBERS,
    POTION,
    ROSE,
    UNKNOWN,
    WAND,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker, targets, useful
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.rules.table_changes import (
    DISCARDS,
    PILE,
    POWERS,
    TURN,
    laid,
    moved,
    refuse,
)
from companion.games.win_claims import Insist, TakeBack

_ONLY_DISCARDED = (UNKNOWN, *NUMBERS, WAND, DRAGON)
"""Kinds that a player on turn can use for nothing but a discard."""


def insist(state: State, action: Insist) -> State:
    """The state after a forbidden action that the table lets stand: a wrong discard, or a knight or theft that
    Cat and Dog forbid.

    IllegalError if the rules allow the action, or if it is none of these.
    """
    match action.action, state.phase:
        case Discard(cards), Phase.PLAY:
            if readings(cards):
                refuse("allowed", DISCARDS, "these cards may be discarded", *cards)
            return laid(state, state.turn, cards)._replace(phase=Phase.REFILL)
        case Power(kind), Phase.PLAY:
            if kind != KNIGHT or useful(state, kind) or not targets(state, POTION):
                refuse("not-insisted", POWERS, "only a knight without a lawful queen is insisted on", kind)
            return laid(state, state.turn, (kind,))._replace(phase=Phase.TARGET)
        case Target(queen), Phase.TARGET:
            if queen in targets(state, attacker(state)) or queen not in targets(state, POTION):
                refuse("not-insisted", POWERS, "only Cat and Dog forbid a queen", queens=(queen,))
            owner = next(player for player, queens in enumerate(state.awake) if queen in queens)
            return state._replace(phase=Phase.ANSWER, target=queen, acting=owner)
    return refuse("phase", TURN, f"that is not possible now: {state.phase.name.lower()}")


def may_take_back(state: State) -> bool:
    """True if the turn's played cards can go back.

    Cards can return to the hand as long as they have had no effect, such as a woken queen.
    """
    played = state.played
    match state.phase:
        case Phase.REFILL:
            return bool(played) and all(kind in _ONLY_DISCARDED for kind in played)
        case Phase.TARGET | Phase.JESTER:
            return len(played) == 1
        case Phase.WAKE:
            # With the Rose queen awake, this king may already have woken her, and wakes a second queen.
            return played == (KING,) and ROSE not in state.awake[state.turn]
    return False


def take_back(state: State, _: TakeBack) -> State:
    """The state after the played cards returned to the hand.

    IllegalError if they had an effect.
    """
    if not may_take_back(state):
        refuse("nothing-to-take-back", DISCARDS, "what lies there has done what it does", *state.played)
    hand = tuple(sorted((*state.hands[state.turn], *state.played)))
    hands = with_value(state.hands, state.turn, hand)
    return state._replace(phase=Phase.PLAY, acting=state.turn, hands=hands, played=())


def defend_late(state: State, action: DefendLate) -> State:
    """The state after a late answer to an attack: the queen returns to her owner.

    IllegalError if this turn has no attack with this queen and owner that was left unanswered.
    """
    queen, owner, attack = action.queen, action.owner, attacker(state)
    if state.played != (attack,) or not 0 <= owner < state.players or owner == state.turn:
        refuse("nothing-to-answer", PILE, "no attack of this turn was left unanswered")
    if attack == KNIGHT and queen in state.awake[state.turn]:
        after = state._replace(awake=moved(state, queen, state.turn, owner))
    elif attack == POTION and queen in state.cells:
        cell = state.cells.index(queen)
        awake = with_value(state.awake, owner, tuple(sorted((*state.awake[owner], queen))))
        after = state._replace(
            awake=awake,
            cells=with_value(state.cells, cell, EMPTY),
            seen=with_value(state.seen, cell, False),
        )
    else:
        refuse("no-queen-there", PILE, "that queen was not attacked this turn", queens=(queen,))
    return laid(after, owner, (ANSWER_TO[attack],))
