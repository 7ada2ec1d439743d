"""The flow of a turn: what follows a roll, the last drawn card, an instant card, the end."""

from companion.games.queens.table import with_value
from companion.games.sleeping_queens_2.rules.kinds import GNOME, QUEENS, Knight
from companion.games.sleeping_queens_2.rules.parts import DRAGON
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.rules.table_changes import added, laid_off

_GNOME_POWERS = {1: Phase.FETCH, 2: Phase.STEAL, 3: Phase.TAKE, DRAGON: Phase.EXCHANGE}


def rolled(state: State, face: int) -> State:
    """The state after the die shows a face that counts: 1, 2, 3 or DRAGON."""
    if state.played:
        return state._replace(phase=_GNOME_POWERS[face])
    if face == DRAGON:
        knights = state.knights[-1:] + state.knights[:-1]
        return state._replace(knights=knights, phase=Phase.WAKE if state.asleep[state.turn] else Phase.ROLL)
    draws = face + (state.knights[state.turn] == Knight.DRAW)
    return drawing(state._replace(draws=draws))


def drawing(state: State) -> State:
    """The state that waits for the next card to be drawn.

    If none is to be drawn, or none is left, drawn instant cards come next (see `instants`).
    """
    if state.draws and (state.deck or state.discard):
        return state if state.phase is Phase.DRAW else state._replace(phase=Phase.DRAW)
    return instants(state._replace(draws=0))


def instants(state: State) -> State:
    """The state that waits for the next instant card.

    If none is left, the drawn cards come into the realm, and phase PLAY begins.
    """
    if state.drawn and state.drawn[-1] >= GNOME:
        return state._replace(phase=Phase.INSTANT)
    return added(state, state.drawn)._replace(drawn=(), phase=Phase.PLAY)


def lulled(state: State, player: int) -> State:
    """Put all awake queens of a player (from 0) to sleep; the state then."""
    realm = state.realms[player]
    rest = tuple(card for card in realm if card not in QUEENS)
    asleep = tuple(sorted((*state.asleep[player], *(card for card in realm if card in QUEENS))))
    return state._replace(
        realms=with_value(state.realms, player, rest), asleep=with_value(state.asleep, player, asleep)
    )


def resolved(state: State) -> State:
    """The state after an instant card has had its effect: on the discard pile, and the turn goes on."""
    return instants(laid_off(state, (state.played,))._replace(played=0))


def roll_phase(state: State) -> Phase:
    """Phase of the next die roll: GNOME while a gnome is played, else ROLL."""
    return Phase.GNOME if state.played else Phase.ROLL


def next_turn(state: State) -> State:
    """Begin the turn of the next player to the left."""
    return state._replace(turn=(state.turn + 1) % state.players, turns=state.turns + 1, phase=Phase.ROLL)
