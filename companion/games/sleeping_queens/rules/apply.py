"""Effect of each action on a state of Sleeping Queens.

>>> from random import Random
>>> from companion.games.sleeping_queens.rules.rulebook import RULES
>>> state = RULES.setup("basic", 2, Random(1))
>>> after = apply(state, Discard(state.hands[0][:1]))
>>> after.phase.name, len(after.hands[0]), len(after.played)
('REFILL', 4, 1)
"""

from collections.abc import Callable
from typing import Any

from companion.games.queens.table import with_value
from companion.games.sleeping_queens.rules import against_rules
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    DefendLate,
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
from companion.games.sleeping_queens.rules.equations import readings
from companion.games.sleeping_queens.rules.game_end import is_won
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    CELLS,
    EMPTY,
    ENEMY,
    HAND,
    JESTER,
    KIND_TEXT,
    KING,
    KNIGHT,
    NUMBERS,
    POTION,
    QUEEN_NAMES,
    ROSE,
    UNKNOWN,
    UNKNOWN_QUEEN,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker, short, targets, useful
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.rules.table_changes import (
    DISCARDS,
    PILE,
    POWERS,
    QUEENS,
    TURN,
    check_left,
    laid,
    moved,
    refuse,
    swept,
)
from companion.games.win_claims import ClaimWin, Insist, TakeBack

_PHASE_OF = {
    Power: (Phase.PLAY,),
    Discard: (Phase.PLAY,),
    Target: (Phase.TARGET,),
    Defend: (Phase.ANSWER,),
    Yield: (Phase.ANSWER,),
    PutToSleep: (Phase.SLEEP,),
    Reveal: (Phase.JESTER,),
    Wake: (Phase.WAKE,),
    Refill: (Phase.REFILL,),
    Shuffle: (Phase.REFILL, Phase.JESTER),
    Insist: (Phase.PLAY, Phase.TARGET),
    TakeBack: (Phase.REFILL, Phase.TARGET, Phase.JESTER, Phase.WAKE),
    DefendLate: (Phase.REFILL,),
    ClaimWin: tuple(phase for phase in Phase if phase is not Phase.OVER),
}


def apply(state: State, action: Action) -> State:
    """The state after an action.

    IllegalError if the rules refuse it.
    """
    kind = type(action)
    if state.phase not in _PHASE_OF[kind]:
        refuse("phase", TURN, f"that is not possible now: {state.phase.name.lower()}")
    return _DO[kind](state, action)


def _power(state: State, action: Power) -> State:
    kind = action.kind
    if kind not in (KING, KNIGHT, POTION, JESTER):
        refuse("no-power", POWERS, "only kings, knights, potions and jesters are played for their power", kind)
    if not useful(state, kind):
        refuse("nothing-to-act-on", POWERS, "there is no queen that it could act on", kind)
    played = laid(state, state.turn, (kind,))
    if kind == KING:
        return played._replace(phase=Phase.WAKE, acting=state.turn)
    return played._replace(phase=Phase.JESTER if kind == JESTER else Phase.TARGET)


def _discard(state: State, action: Discard) -> State:
    cards = action.cards
    if not readings(cards):
        refuse("no-discard", DISCARDS, "discard one card, two equal numbers, or an equation", *cards)
    return laid(state, state.turn, cards)._replace(phase=Phase.REFILL)


def _target(state: State, action: Target) -> State:
    kind = attacker(state)
    queen = action.queen
    victim = next((player for player, queens in enumerate(state.awake) if queen in queens), state.turn)
    if victim == state.turn:
        refuse("no-queen-there", POWERS, "no other player has that queen")
    if queen not in targets(state, kind):
        refuse("cat-and-dog", QUEENS, "Cat and Dog are never together", queens=(queen,))
    return state._replace(phase=Phase.ANSWER, target=queen, acting=victim)


def _defend(state: State, _: Defend) -> State:
    answer = ANSWER_TO[attacker(state)]
    return laid(state, state.acting, (answer,))._replace(phase=Phase.REFILL, target=-1, acting=state.turn)


def _yield(state: State, _: Yield) -> State:
    if attacker(state) == POTION:
        return state._replace(phase=Phase.SLEEP, acting=state.turn)
    awake = moved(state, state.target, state.acting, state.turn)
    after = state._replace(awake=awake, target=-1, acting=state.turn)
    return after._replace(phase=Phase.OVER if is_won(after) else Phase.REFILL)


def _put_to_sleep(state: State, action: PutToSleep) -> State:
    cell = action.cell
    if not 0 <= cell < CELLS or state.cells[cell] != EMPTY:
        refuse("no-room", POWERS, "a queen is put to sleep on an empty place", queens=(state.target,))
    owner = next(player for player, queens in enumerate(state.awake) if state.target in queens)
    return state._replace(
        phase=Phase.REFILL,
        awake=moved(state, state.target, owner, None),
        cells=with_value(state.cells, cell, state.target),
        seen=with_value(state.seen, cell, True),
        target=-1,
    )


def _reveal(state: State, action: Reveal) -> State:
    if not state.deck:
        refuse("no-deck", PILE, "the draw pile is empty: shuffle the discard pile first")
    known, told = state.deck[-1], action.kind
    if told is not None and known not in (UNKNOWN, told):
        refuse("another-card", POWERS, f"the top card is {KIND_TEXT[known]}", told)
    kind = known if told is None else told
    if kind == UNKNOWN and told is None:
        refuse("unnamed", POWERS, "which card was turned up must be said")
    chosen = action.chosen
    if chosen is not None and (kind != UNKNOWN or not 0 <= chosen < state.players):
        refuse("no-choice", POWERS, "the number on the card says who is chosen", kind)
    state = state._replace(deck=state.deck[:-1])
    if known == UNKNOWN and kind != UNKNOWN:
        check_left(state, kind)
    if kind in NUMBERS:
        chosen = (state.turn + kind - 1) % state.players
    if chosen is None:
        # A power card goes to the hand, and the player has another turn.
        hand = tuple(sorted((*state.hands[state.turn], kind)))
        return swept(state)._replace(
            hands=with_value(state.hands, state.turn, hand), phase=Phase.PLAY, turns=state.turns + 1
        )
    return state._replace(played=tuple(sorted((*state.played, kind))), phase=Phase.WAKE, acting=chosen)


def _wake(state: State, action: Wake) -> State:
    cell, told = action.cell, action.queen
    if not 0 <= cell < CELLS or state.cells[cell] == EMPTY:
        refuse("nobody-there", POWERS, "no queen sleeps on that place")
    known = state.cells[cell]
    if told is not None and known not in (UNKNOWN_QUEEN, told):
        refuse("another-queen", POWERS, f"there sleeps the {QUEEN_NAMES[known]} queen", queens=(known, told))
    queen = known if told is None else told
    if queen == UNKNOWN_QUEEN:
        refuse("unnamed", POWERS, "which queen was woken must be said")
    if known == UNKNOWN_QUEEN and any(queen in queens for queens in (*state.awake, state.cells)):
        refuse("twice", POWERS, "that queen is elsewhere", queens=(queen,))
    own = state.awake[state.acting]
    if ENEMY.get(queen) in own:
        # Cat and Dog may not be together, so the queen goes back face down. Everybody has seen her.
        return state._replace(
            cells=with_value(state.cells, cell, queen),
            seen=with_value(state.seen, cell, True),
            phase=Phase.REFILL,
            acting=state.turn,
        )
    after = state._replace(
        cells=with_value(state.cells, cell, EMPTY),
        seen=with_value(state.seen, cell, False),
        awake=with_value(state.awake, state.acting, tuple(sorted((*own, queen)))),
    )
    if is_won(after):
        return after._replace(phase=Phase.OVER)
    if queen == ROSE:
        return after
    return after._replace(phase=Phase.REFILL, acting=state.turn)


def _shuffle(state: State, action: Shuffle) -> State:
    pile = state.discard + state.played if state.phase is Phase.REFILL else state.discard
    if state.phase is Phase.REFILL and len(state.deck) >= short(state):
        refuse("enough-cards", PILE, "the draw pile suffices")
    if state.phase is Phase.JESTER and state.deck:
        refuse("enough-cards", PILE, "the draw pile is not empty")
    if not pile:
        refuse("nothing-to-shuffle", PILE, "the discard pile is empty")
    order = action.deck or (UNKNOWN,) * len(pile)
    if action.deck and sorted(order) != sorted(pile):
        refuse("other-cards", PILE, "other cards lie on the discard pile")
    played = () if state.phase is Phase.REFILL else state.played
    # Cards left in the draw pile stay on top.
    return state._replace(deck=order + state.deck, discard=(), fresh=0, played=played)


def _refill(state: State, _: Refill) -> State:
    if len(state.deck) < short(state) and (state.discard or state.played):
        refuse("shuffle-first", PILE, "the draw pile is empty: shuffle the discard pile")
    deck = state.deck
    hands = list(state.hands)
    for seat in range(state.players):
        player = (state.turn + seat) % state.players
        need = min(HAND - len(hands[player]), len(deck))
        if need:
            hands[player] = tuple(sorted((*hands[player], *deck[-need:])))
            deck = deck[:-need]
    turn = (state.turn + 1) % state.players
    return swept(state)._replace(
        deck=deck, hands=tuple(hands), turn=turn, acting=turn, phase=Phase.PLAY, turns=state.turns + 1
    )


_DO: dict[type, Callable[[State, Any], State]] = {
    Power: _power,
    Discard: _discard,
    Target: _target,
    Defend: _defend,
    Yield: _yield,
    PutToSleep: _put_to_sleep,
    Reveal: _reveal,
    Wake: _wake,
    Refill: _refill,
    Shuffle: _shuffle,
    Insist: against_rules.insist,
    TakeBack: against_rules.take_back,
    DefendLate: against_rules.defend_late,
    ClaimWin: lambda state, _: state,
}
