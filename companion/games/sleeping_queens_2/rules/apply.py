"""Effect of each action on a Sleeping Queens 2 state.

>>> from random import Random
>>> from companion.games.sleeping_queens_2.rules.rulebook import RULES
>>> state = RULES.setup("standard", 2, Random(1))
>>> after = apply(state, Roll(3))
>>> after.phase.name, after.draws >= 3
('DRAW', True)
"""

from collections.abc import Callable
from typing import Any

from companion.games.queens.table import with_value
from companion.games.sleeping_queens_2.rules import against_rules
from companion.games.sleeping_queens_2.rules import table_changes as table
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Book,
    Discard,
    Draw,
    End,
    Equation,
    Exchange,
    Fetch,
    Give,
    Instant,
    Keep,
    Mix,
    Open,
    Pair,
    Pass,
    PutBack,
    Reroll,
    Rescue,
    Roll,
    Shuffle,
    Steal,
    Swap,
    Take,
    Wake,
)
from companion.games.sleeping_queens_2.rules.equations import is_equation
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    CELLS,
    COMPANIONS,
    EMPTY,
    GNOME,
    INSTANTS,
    MAIN_DECK,
    NUMBERS,
    QUEENS,
    UNKNOWN,
    WILLOW,
    Knight,
    kings_to_win,
    knights_for,
)
from companion.games.sleeping_queens_2.rules.legal_actions import has_knight, held, limit, needs_mixing, sleeper
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.rules.table_changes import laid_off, moved, refuse, without
from companion.games.sleeping_queens_2.rules.turn_flow import (
    drawing,
    lulled,
    next_turn,
    resolved,
    roll_phase,
    rolled,
)
from companion.games.win_claims import ClaimWin, Insist, TakeBack

_PHASES_OF: dict[type, tuple[Phase, ...]] = {
    Give: (Phase.SETUP,),
    Open: (Phase.SETUP,),
    Roll: (Phase.ROLL, Phase.GNOME),
    Reroll: (Phase.REROLL,),
    Keep: (Phase.REROLL,),
    Wake: (Phase.WAKE,),
    Pass: (Phase.WAKE, Phase.FETCH, Phase.STEAL, Phase.TAKE, Phase.EXCHANGE, Phase.SWAP),
    Draw: (Phase.DRAW,),
    Shuffle: (Phase.DRAW,),
    Instant: (Phase.INSTANT, Phase.PLAY, Phase.DISCARD),
    Fetch: (Phase.FETCH,),
    Mix: (Phase.FETCH,),
    Steal: (Phase.STEAL,),
    Take: (Phase.TAKE,),
    Exchange: (Phase.EXCHANGE,),
    Swap: (Phase.SWAP,),
    Equation: (Phase.PLAY,),
    Pair: (Phase.PLAY,),
    Book: (Phase.PLAY,),
    Rescue: (Phase.PLAY,),
    PutBack: (Phase.RETURN,),
    Discard: (Phase.PLAY, Phase.DISCARD),
    End: (Phase.PLAY, Phase.DISCARD),
    Insist: tuple(phase for phase in Phase if phase not in (Phase.SETUP, Phase.OVER)),
    TakeBack: tuple(phase for phase in Phase if phase is not Phase.OVER),
    ClaimWin: tuple(phase for phase in Phase if phase not in (Phase.SETUP, Phase.OVER)),
}
_FINISHES = (Fetch, PutBack, ClaimWin)
"""Actions that complete the step before them, so a forbidden step can still be taken back afterwards."""


def apply(state: State, action: Action) -> State:
    """The state after an action.

    IllegalError if the rules refuse it.
    """
    kind = type(action)
    if state.phase not in _PHASES_OF.get(kind, ()):
        refuse("phase", table.TURN, f"that is not possible now: {state.phase.name.lower()}")
    after = _DO[kind](state, action)
    if state.undo is None or kind is Insist or _may_be_undone(state, kind, after):
        return after
    return after._replace(undo=None)


def _may_be_undone(state: State, kind: type, after: State) -> bool:
    """True if an action of type `kind` completed a forbidden step that can still be taken back."""
    return kind in _FINISHES and not state.played and after.phase is not Phase.OVER


def _give(state: State, action: Give) -> State:
    knight = action.knight
    if Knight.UNKNOWN not in state.knights:
        refuse("all-given", table.SET_UP, "every player has a knight")
    if knight not in knights_for(state.players):
        refuse("no-such-knight", table.SET_UP, f"that knight does not take part with {state.players} players")
    if knight in state.knights:
        refuse("knight-given", table.SET_UP, "another player has that knight")
    player = state.knights.index(Knight.UNKNOWN)
    return state._replace(knights=with_value(state.knights, player, knight))


def _open(state: State, action: Open) -> State:
    if Knight.UNKNOWN in state.knights:
        refuse("knights-first", table.SET_UP, "say first which knight each player has")
    if not state.deck:
        refuse("no-deck", table.SET_UP, "there is no draw pile")
    kind = table.named(state, state.deck[-1], action.kind, MAIN_DECK, table.SET_UP)
    if kind in INSTANTS:
        refuse("instant", table.SET_UP, "an instant card is shuffled back, and another one turned up", kind)
    return laid_off(state._replace(deck=state.deck[:-1]), (kind,))._replace(phase=Phase.ROLL)


def _roll(state: State, action: Roll) -> State:
    if action.face not in state.parts.die:
        refuse("no-such-face", table.TURN, "the die has no such face")
    if action.face == 1 and has_knight(state, state.turn, Knight.REROLL):
        return state._replace(phase=Phase.REROLL)
    return rolled(state, action.face)


def _reroll(state: State, _: Reroll) -> State:
    return state._replace(phase=roll_phase(state))


def _keep(state: State, _: Keep) -> State:
    return rolled(state, 1)


def _wake(state: State, action: Wake) -> State:
    if action.queen not in state.asleep[state.turn]:
        refuse("not-asleep", table.WAKING, "no such queen of theirs is asleep", action.queen)
    after = moved(state, "asleep", action.queen, state.turn, None)
    return table.added(after, (action.queen,))._replace(phase=Phase.ROLL)


def _pass(state: State, _: Pass) -> State:
    if state.phase is Phase.WAKE:
        return state._replace(phase=Phase.ROLL)
    if not state.played and state.undo is None:
        refuse("must-take", table.COMPANIONS, "an equation brings a companion: take one")
    if state.phase is Phase.FETCH and needs_mixing(state):
        refuse("mix-first", table.COMPANIONS, "all companions lie face up: shuffle them first")
    if not state.played:
        return state._replace(phase=Phase.PLAY)
    return resolved(state)


def _draw(state: State, action: Draw) -> State:
    if not state.deck:
        refuse("no-deck", table.TURN, "the draw pile is empty: shuffle the discard pile first")
    kind = table.named(state, state.deck[-1], action.kind, MAIN_DECK, table.TURN)
    drawn = tuple(sorted((*state.drawn, kind)))
    return drawing(state._replace(deck=state.deck[:-1], drawn=drawn, draws=state.draws - 1))


def _shuffle(state: State, action: Shuffle) -> State:
    if state.deck:
        refuse("enough-cards", table.TURN, "the draw pile is not empty")
    if not state.discard:
        refuse("nothing-to-shuffle", table.TURN, "the discard pile is empty")
    if action.deck and sorted(action.deck) != sorted(state.discard):
        refuse("other-cards", table.TURN, "other cards lie on the discard pile", *action.deck)
    deck = action.deck or (UNKNOWN,) * len(state.discard)
    return state._replace(deck=deck, discard=(), fresh=0)


def _instant(state: State, action: Instant) -> State:
    kind = action.kind
    if kind not in INSTANTS:
        refuse("no-instant", table.INSTANT, "only gnomes, witches and willows are instant cards", kind)
    drawn = without(state.drawn, (kind,))
    if drawn is None:
        refuse("not-drawn", table.INSTANT, "that card was not drawn", kind)
    state = state._replace(drawn=drawn, played=kind)
    if kind == WILLOW:
        player = sleeper(state)
        return resolved(state if player is None else lulled(state, player))
    return state._replace(phase=Phase.GNOME if kind == GNOME else Phase.SWAP)


def _fetch(state: State, action: Fetch) -> State:
    cell = action.cell
    if not 0 <= cell < CELLS or state.cells[cell] == EMPTY:
        refuse("nobody-there", table.COMPANIONS, "no companion lies on that place")
    if state.face_up[cell]:
        refuse("face-up", table.COMPANIONS, "only a companion that lies face down is taken", state.cells[cell])
    companion = table.named(state, state.cells[cell], action.companion, COMPANIONS, table.COMPANIONS)
    own = tuple(sorted((*state.companions[state.turn], companion)))
    state = state._replace(
        cells=with_value(state.cells, cell, EMPTY), companions=with_value(state.companions, state.turn, own)
    )
    return resolved(state) if state.played else state._replace(phase=Phase.PLAY)


def _mix(state: State, action: Mix) -> State:
    if not needs_mixing(state):
        refuse("face-down-left", table.COMPANIONS, "they are shuffled only when all lie face up")
    places = [cell for cell, card in enumerate(state.cells) if card != EMPTY]
    order = action.companions or (UNKNOWN,) * len(places)
    if action.companions and sorted(order) != sorted(state.cells[cell] for cell in places):
        refuse("other-cards", table.COMPANIONS, "other companions lie there", *action.companions)
    cells = list(state.cells)
    for cell, companion in zip(places, order, strict=True):
        cells[cell] = companion
    return state._replace(cells=tuple(cells), face_up=(False,) * CELLS)


def _check_victim(state: State, victim: int, section: str) -> None:
    if not 0 <= victim < state.players or victim == state.turn:
        refuse("no-victim", section, "it must be another player")


def _steal(state: State, action: Steal) -> State:
    _check_victim(state, action.victim, table.GNOME)
    if action.kind in COMPANIONS:
        refuse("companion", table.GNOME, "companions and kings are not stolen", action.kind)
    field = table.place_of(state, action.victim, action.kind, table.GNOME)
    return resolved(moved(state, field, action.kind, action.victim, state.turn))


def _take(state: State, action: Take) -> State:
    discard = without(state.discard, (action.queen,))
    if action.queen not in QUEENS or discard is None:
        refuse("no-queen-there", table.GNOME, "no such queen lies on the discard pile", action.queen)
    return resolved(table.added(state._replace(discard=discard), (action.queen,)))


def _exchange(state: State, action: Exchange) -> State:
    one, two = action.first, action.second
    if not 0 <= one < two < state.players:
        refuse("no-two-knights", table.GNOME, "two different knights change places")
    knights = list(state.knights)
    knights[one], knights[two] = knights[two], knights[one]
    return resolved(state._replace(knights=tuple(knights)))


def _swap(state: State, action: Swap) -> State:
    own, victim, kind = action.own, action.victim, action.kind
    _check_victim(state, victim, table.WITCH)
    if has_knight(state, victim, Knight.WITCH):
        refuse("shielded", table.KNIGHTS, "a knight protects that player from witches", kind)
    if (own in COMPANIONS) != (kind in COMPANIONS):
        refuse("companion", table.WITCH, "a companion is swapped for a companion only", own, kind)
    return resolved(table.swapped(state, own, victim, kind))


def _equation(state: State, action: Equation) -> State:
    cards = tuple(sorted(action.cards))
    if not is_equation(cards, has_knight(state, state.turn, Knight.MATH)):
        refuse("no-equation", table.COMPANIONS, "one card is the result of all others by one operation", *cards)
    if all(card == EMPTY for card in state.cells):
        refuse("nothing-to-take", table.COMPANIONS, "no companion lies in the grid")
    return table.from_realm(state, cards, table.COMPANIONS)._replace(phase=Phase.FETCH)


def _pair(state: State, action: Pair) -> State:
    number = action.number
    if number not in NUMBERS:
        refuse("no-number", table.WAKING, "a pair is two equal number cards", number)
    if not state.asleep[state.turn]:
        refuse("nobody-asleep", table.WAKING, "none of their queens is asleep")
    return table.roused(table.from_realm(state, (number, number), table.WAKING))


def _book(state: State, action: Book) -> State:
    number, discard = action.number, state.discard
    if number not in NUMBERS or number not in discard:
        refuse("no-number-there", table.BOOKS, "no such number card lies on the discard pile", number)
    newest = len(discard) - 1 - discard[::-1].index(number)
    after = table.from_realm(state, (BOOK,), table.BOOKS)
    without_it = after.discard[:newest] + after.discard[newest + 1 :]
    return table.added(after._replace(discard=without_it), (number,))


def _rescue(state: State, action: Rescue) -> State:
    queen, companion = action.queen, action.companion
    if queen in state.asleep[state.turn]:
        refuse("asleep", table.WILLOW, "a queen who sleeps rescues nobody", queen)
    if queen not in QUEENS or queen not in state.realms[state.turn]:
        refuse("no-queen-there", table.RESCUE, "they do not have that queen", queen)
    if companion not in COMPANIONS or companion not in state.companions[state.turn]:
        refuse("not-there", table.RESCUE, "they do not have that companion", companion)
    if not state.parts.fits(queen, companion):
        refuse("no-match", table.RESCUE, "queen and companion have different symbols", queen, companion)
    after = moved(table.from_realm(state, (queen,), table.RESCUE), "companions", companion, state.turn, None)
    return after._replace(carried=companion, phase=Phase.RETURN)


def _put_back(state: State, action: PutBack) -> State:
    cell = action.cell
    if not 0 <= cell < CELLS or state.cells[cell] != EMPTY:
        refuse("no-room", table.RESCUE, "a companion is laid on an empty place", state.carried)
    rescued = state.kings[state.turn] + 1
    return state._replace(
        cells=with_value(state.cells, cell, state.carried),
        face_up=with_value(state.face_up, cell, True),
        carried=0,
        kings=with_value(state.kings, state.turn, rescued),
        phase=Phase.OVER if rescued >= kings_to_win(state.players) else Phase.PLAY,
    )


def _discard(state: State, action: Discard) -> State:
    field = table.place_of(state, state.turn, action.kind, table.TURN)
    if field == "companions":
        refuse("companion", table.TURN, "companions are not discarded: they do not count", action.kind)
    fresh = state.fresh + 1 if state.phase is Phase.DISCARD else 1
    after = moved(state, field, action.kind, state.turn, None)
    return laid_off(after, (action.kind,), fresh)._replace(phase=Phase.DISCARD)


def _end(state: State, _: End) -> State:
    if state.drawn:
        refuse("instants-first", table.INSTANT, "instant cards lie there still", *state.drawn)
    if len(held(state, state.turn)) > limit(state):
        refuse("too-many-cards", table.TURN, f"discard down to {limit(state)} cards first")
    return next_turn(state)


def _claim_win(state: State, action: ClaimWin) -> State:
    if not 0 <= action.player < state.players:
        refuse("no-player", table.END, "there is no such player")
    return state


_DO: dict[type, Callable[[State, Any], State]] = {
    Give: _give,
    Open: _open,
    Roll: _roll,
    Reroll: _reroll,
    Keep: _keep,
    Wake: _wake,
    Pass: _pass,
    Draw: _draw,
    Shuffle: _shuffle,
    Instant: _instant,
    Fetch: _fetch,
    Mix: _mix,
    Steal: _steal,
    Take: _take,
    Exchange: _exchange,
    Swap: _swap,
    Equation: _equation,
    Pair: _pair,
    Book: _book,
    Rescue: _rescue,
    PutBack: _put_back,
    Discard: _discard,
    End: _end,
    Insist: lambda state, action: against_rules.insist(state, action, apply),
    TakeBack: against_rules.take_back,
    ClaimWin: _claim_win,
}
