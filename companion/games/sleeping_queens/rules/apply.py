"""The effect of each action, and the reason for each refusal."""

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from companion.games.api import IllegalError
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
from companion.games.sleeping_queens.rules.court import (
    ANSWER_TO,
    CELLS,
    COPIES,
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
from companion.games.sleeping_queens.rules.equations import Cards, is_equation
from companion.games.sleeping_queens.rules.game_end import is_won
from companion.games.sleeping_queens.rules.legal_actions import attacker, copies_unseen, short, targets, useful
from companion.games.sleeping_queens.rules.state import Phase, State

TURN, POWERS, DISCARDS, PILE = "How to Play", "Play a Power", "Discard one or more cards", "Queenly Questions"
"""Sections of the rulebook."""
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
}


def apply(state: State, action: Action) -> State:
    """The state after `action`; IllegalError says why not."""
    kind = type(action)
    if state.phase not in _PHASE_OF[kind]:
        _refuse("phase", TURN, f"that is not possible now: {state.phase.name.lower()}")
    return _DO[kind](state, action)


def _power(state: State, action: Power) -> State:
    kind = action.kind
    if kind not in (KING, KNIGHT, POTION, JESTER):
        _refuse("no-power", POWERS, "only kings, knights, potions and jesters are played for their power", kind)
    if not useful(state, kind):
        _refuse("nothing-to-act-on", POWERS, "there is no queen that it could act on", kind)
    played = _laid(state, state.turn, (kind,))
    if kind == KING:
        return played._replace(phase=Phase.WAKE, acting=state.turn)
    return played._replace(phase=Phase.JESTER if kind == JESTER else Phase.TARGET)


def _discard(state: State, action: Discard) -> State:
    cards = action.cards
    pair = len(cards) == 2 and cards[0] == cards[1] and cards[0] in NUMBERS
    if not (len(cards) == 1 or pair or is_equation(cards)) or not all(0 < card < len(COPIES) for card in cards):
        _refuse("no-discard", DISCARDS, "discard one card, two equal numbers, or an equation", *cards)
    return _laid(state, state.turn, cards)._replace(phase=Phase.REFILL)


def _target(state: State, action: Target) -> State:
    kind = attacker(state)
    queen = action.queen
    victim = next((player for player, queens in enumerate(state.awake) if queen in queens), state.turn)
    if victim == state.turn:
        _refuse("no-queen-there", POWERS, "no other player has that queen")
    if queen not in targets(state, kind):
        _refuse("cat-and-dog", "Special Queen Powers", "Cat and Dog are never together", queens=(queen,))
    return state._replace(phase=Phase.ANSWER, target=queen, acting=victim)


def _defend(state: State, _: Defend) -> State:
    answer = ANSWER_TO[attacker(state)]
    return _laid(state, state.acting, (answer,))._replace(phase=Phase.REFILL, target=-1, acting=state.turn)


def _yield(state: State, _: Yield) -> State:
    if attacker(state) == POTION:
        return state._replace(phase=Phase.SLEEP, acting=state.turn)
    awake = _moved(state, state.target, state.acting, state.turn)
    after = state._replace(awake=awake, target=-1, acting=state.turn)
    return after._replace(phase=Phase.OVER if is_won(after) else Phase.REFILL)


def _put_to_sleep(state: State, action: PutToSleep) -> State:
    cell = action.cell
    if not 0 <= cell < CELLS or state.cells[cell] != EMPTY:
        _refuse("no-room", POWERS, "a queen is put to sleep on an empty place", queens=(state.target,))
    owner = next(player for player, queens in enumerate(state.awake) if state.target in queens)
    return state._replace(
        phase=Phase.REFILL,
        awake=_moved(state, state.target, owner, None),
        cells=_with(state.cells, cell, state.target),
        seen=_with(state.seen, cell, True),
        target=-1,
    )


def _reveal(state: State, action: Reveal) -> State:
    if not state.deck:
        _refuse("no-deck", PILE, "the draw pile is empty: shuffle the discard pile first")
    known, told = state.deck[-1], action.kind
    if told is not None and known not in (UNKNOWN, told):
        _refuse("another-card", POWERS, f"the top card is {KIND_TEXT[known]}", told)
    kind = known if told is None else told
    if kind == UNKNOWN:
        _refuse("unnamed", POWERS, "which card was turned up must be said")
    state = state._replace(deck=state.deck[:-1])
    if known == UNKNOWN:
        _check_left(state, kind)
    if kind not in NUMBERS:
        # A power card is drawn, and the turn begins anew.
        hand = tuple(sorted((*state.hands[state.turn], kind)))
        return _swept(state)._replace(
            hands=_with(state.hands, state.turn, hand), phase=Phase.PLAY, turns=state.turns + 1
        )
    chosen = (state.turn + kind - 1) % state.players
    return state._replace(played=tuple(sorted((*state.played, kind))), phase=Phase.WAKE, acting=chosen)


def _wake(state: State, action: Wake) -> State:
    cell, told = action.cell, action.queen
    if not 0 <= cell < CELLS or state.cells[cell] == EMPTY:
        _refuse("nobody-there", POWERS, "no queen sleeps on that place")
    known = state.cells[cell]
    if told is not None and known not in (UNKNOWN_QUEEN, told):
        _refuse("another-queen", POWERS, f"there sleeps the {QUEEN_NAMES[known]} queen", queens=(known, told))
    queen = known if told is None else told
    if queen == UNKNOWN_QUEEN:
        _refuse("unnamed", POWERS, "which queen was woken must be said")
    if known == UNKNOWN_QUEEN and any(queen in queens for queens in (*state.awake, state.cells)):
        _refuse("twice", POWERS, "that queen is elsewhere", queens=(queen,))
    own = state.awake[state.acting]
    if ENEMY.get(queen) in own:
        # She is put back at once, and everybody has seen her (decision 2).
        return state._replace(
            cells=_with(state.cells, cell, queen),
            seen=_with(state.seen, cell, True),
            phase=Phase.REFILL,
            acting=state.turn,
        )
    after = state._replace(
        cells=_with(state.cells, cell, EMPTY),
        seen=_with(state.seen, cell, False),
        awake=_with(state.awake, state.acting, tuple(sorted((*own, queen)))),
    )
    if is_won(after):
        return after._replace(phase=Phase.OVER)
    if queen == ROSE:
        return after
    return after._replace(phase=Phase.REFILL, acting=state.turn)


def _shuffle(state: State, action: Shuffle) -> State:
    pile = state.discard + state.played if state.phase is Phase.REFILL else state.discard
    if state.phase is Phase.REFILL and len(state.deck) >= short(state):
        _refuse("enough-cards", PILE, "the draw pile suffices")
    if state.phase is Phase.JESTER and state.deck:
        _refuse("enough-cards", PILE, "the draw pile is not empty")
    if not pile:
        _refuse("nothing-to-shuffle", PILE, "the discard pile is empty")
    order = action.deck or (UNKNOWN,) * len(pile)
    if action.deck and sorted(order) != sorted(pile):
        _refuse("other-cards", PILE, "other cards lie on the discard pile")
    played = () if state.phase is Phase.REFILL else state.played
    # What was left of the draw pile is drawn first.
    return state._replace(deck=order + state.deck, discard=(), fresh=0, played=played)


def _refill(state: State, _: Refill) -> State:
    if len(state.deck) < short(state) and (state.discard or state.played):
        _refuse("shuffle-first", PILE, "the draw pile runs out: shuffle the discard pile")
    deck = state.deck
    hands = list(state.hands)
    for seat in range(state.players):
        player = (state.turn + seat) % state.players
        need = min(HAND - len(hands[player]), len(deck))
        if need:
            hands[player] = tuple(sorted((*hands[player], *deck[-need:])))
            deck = deck[:-need]
    turn = (state.turn + 1) % state.players
    return _swept(state)._replace(
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
}


def _laid(state: State, player: int, cards: Cards) -> State:
    """Cards of a player's hand come to lie among those played."""
    hand = list(state.hands[player])
    unknown = 0
    for card in cards:
        if card in hand:
            hand.remove(card)
        elif UNKNOWN in hand:
            hand.remove(UNKNOWN)
            unknown += 1
        else:
            _refuse("not-in-hand", TURN, f"player {player + 1} does not hold that", *cards)
    if unknown:
        for card in set(cards):
            _check_left(state, card, cards.count(card) - state.hands[player].count(card))
    return state._replace(
        hands=_with(state.hands, player, tuple(hand)), played=tuple(sorted((*state.played, *cards)))
    )


def _check_left(state: State, kind: int, number: int = 1) -> None:
    """IllegalError if so many cards of a kind cannot be among those that nobody has seen."""
    if number <= 0:
        return
    if number > copies_unseen(state, kind):
        _refuse("too-many", TURN, f"there are {COPIES[kind]} cards {KIND_TEXT[kind]} in all", kind)


def _swept(state: State) -> State:
    """What was played lies on the discard pile."""
    if not state.played:
        return state
    return state._replace(discard=state.discard + state.played, fresh=len(state.played), played=())


def _moved(state: State, queen: int, source: int, to: int | None) -> tuple[tuple[int, ...], ...]:
    awake = list(state.awake)
    awake[source] = tuple(one for one in awake[source] if one != queen)
    if to is not None:
        awake[to] = tuple(sorted((*awake[to], queen)))
    return tuple(awake)


def _with(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _refuse(code: str, section: str, text: str, *kinds: int, queens: Sequence[int] = ()) -> NoReturn:
    cards = [KIND_TEXT[kind] for kind in kinds if 0 <= kind < len(KIND_TEXT)]
    cards += [QUEEN_NAMES[queen] for queen in queens if 0 <= queen < CELLS]
    raise IllegalError(code, section, text, cards)
