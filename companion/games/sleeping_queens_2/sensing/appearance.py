"""The look of states and actions of Sleeping Queens 2 to the camera.

All cards lie open except draw pile, face-down companions and sleeping queens.
The camera reads each realm, companions, kings, the foot of the knight's stand, and instant cards until they
are played.
A queen who falls asleep is turned over in place. If she changes hands asleep, she is first shown in zone
"show".
The camera sees occupied grid places, the top of the discard pile, and the die at rest in zone "die".
"""

from functools import lru_cache

from companion.games.appearance import Expectation
from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens_2.queens_2_cards import KNIGHT_OF_KIND, die_kind, knight_kind
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Book,
    Discard,
    Draw,
    End,
    Equation,
    FalsePair,
    Fetch,
    Instant,
    Keep,
    Lull,
    Mix,
    Open,
    Pair,
    Pass,
    PutBack,
    Reroll,
    Rescue,
    Roll,
    Steal,
    Swap,
    Take,
)
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    CELLS,
    EMPTY,
    INSTANTS,
    KIND_TEXT,
    WILLOW,
    Knight,
)
from companion.games.sleeping_queens_2.rules.legal_actions import held, limit
from companion.games.sleeping_queens_2.rules.parts import DRAGON
from companion.games.sleeping_queens_2.rules.state import PLAYERS, Cards, Phase, State
from companion.games.win_claims import ClaimWin, Insist, TakeBack, player_zone

KING_KIND = "KI"
DIE, SHOW, DISCARD = "die", "show", "discard"
"""Names of mat zones: for the die, for a sleeping queen shown while she changes owner, for the discard pile."""
IRREGULAR = Sign(Verb.IRREGULAR)
"""Sign of a forbidden action. No sensor reports it; it only makes that explanation less likely."""
IDLE = Sign(Verb.IDLE)
"""Sign of a rare choice: to discard more than necessary, or not to use a gnome. No sensor reports it; it only
makes that explanation less likely."""
NEW = Verb.NEW
SILENT = Sign(Verb.SILENT)
"""Sign of an action whose only traces are the cards that lie there afterwards."""
_USEFUL = (Phase.WAKE, Phase.FETCH, Phase.STEAL, Phase.TAKE)
"""Phases in which people rarely pass, because the step helps them."""


@lru_cache(maxsize=CELLS)
def cell_zone(cell: int) -> str:
    """Name of the mat zone of a grid place: "companion 1" for place 0."""
    return f"companion {cell + 1}"


def lying(state: State, player: int) -> Cards:
    """Kinds of face-up cards in a player's realm, unordered.

    Kings and knight are left out.
    """
    cards = state.realms[player] + state.companions[player]
    if player != state.turn:
        return cards
    return cards + state.drawn + ((state.played,) if state.played else ())


@lru_cache(maxsize=1 << 13)
def realm_view(cards: Cards, kings: int, knight: int) -> tuple[str, ...]:
    """Kinds that the camera reads in a realm: sorted texts.

    `cards`: kinds of the cards face up. `kings`: number of kings. `knight`: the player's knight.
    """
    stand = () if knight == Knight.UNKNOWN else (knight_kind(knight),)
    return tuple(sorted((*(KIND_TEXT[card] for card in cards), *(KING_KIND,) * kings, *stand)))


def expected_realm(state: State, player: int) -> tuple[str, ...]:
    """Kinds that the camera should read in a player's (from 0) realm, sorted as text."""
    return realm_view(lying(state, player), state.kings[player], state.knights[player])


def expected_view(state: State) -> Expectation:
    """What the camera should report.

    The report has realms, grid, and the top of the discard pile.
    """
    realms = tuple(expected_realm(state, player) for player in range(state.players))
    tops = state.discard[-state.fresh :] if state.fresh else ()
    return _expected(realms, tops, state.cells, state.face_up)


@lru_cache(maxsize=1 << 13)
def _expected(
    realms: tuple[tuple[str, ...], ...], tops: Cards, cells: Cards, face_up: tuple[bool, ...]
) -> Expectation:
    zones = {player_zone(player): kinds for player, kinds in enumerate(realms)}
    down: dict[str, int] = {}
    for cell, (card, up) in enumerate(zip(cells, face_up, strict=True)):
        zones[cell_zone(cell)] = (KIND_TEXT[card],) if up else ()
        down[cell_zone(cell)] = int(card != EMPTY and not up)
    return Expectation(
        zones=zones,
        tops={DISCARD: frozenset(KIND_TEXT[card] for card in tops)},
        counts={},
        face_down=down,
    )


def signs(state: State, action: Action) -> tuple[Sign, ...]:
    """Traces that an action in `state` leaves for the camera.

    Cards that stay on the table are no sign: `expected_view` of the next state contains them.
    """
    match action:
        case ClaimWin(player):
            return (Sign(Verb.PRESS, player_zone(player)),)
        case Insist(End()):
            return (IRREGULAR,)
        case Insist(forbidden):
            # Two signs, because a forbidden action is rarer than an unread card or one shown and taken back.
            return (IRREGULAR, IDLE, *_done(state, forbidden))
        case TakeBack():
            return (SILENT,)
    return _done(state, action) or (SILENT,)


def _done(state: State, action: Action) -> tuple[Sign, ...]:
    found = _signs(state, action)
    if state.played and not isinstance(action, Roll | Reroll | Keep | Mix):
        # The instant card is discarded after its effect.
        found = (*found, _topped(state.played))
    return found


def _signs(state: State, action: Action) -> tuple[Sign, ...]:
    turn = state.turn
    match action:
        case Roll(face):
            # Knights move on only after everybody has seen the dragon.
            verb = Verb.CAME if face == DRAGON and not state.played else Verb.SHOWN
            return (Sign(verb, DIE, (die_kind(face),)),)
        case Draw(kind) if kind is not None:
            return (_laid(turn, kind),)
        case Fetch(_, companion) if companion is not None:
            return (_laid(turn, companion),)
        case Take(queen):
            return (_laid(turn, queen),)
        case Steal(victim, kind):
            return (_come(state, kind, victim, turn),)
        case Swap(own, victim, kind):
            given, taken = _come(state, own, turn, victim), _come(state, kind, victim, turn)
            # A sleeping queen is shown before any card moves.
            return (taken, given) if kind in state.asleep[victim] else (given, taken)
        case PutBack():
            return (Sign(Verb.LAID, player_zone(turn), (KING_KIND,)),)
        case Pass() if state.phase in _USEFUL:
            return (IDLE,)
    return _discards(state, action)


def _discards(state: State, action: Action) -> tuple[Sign, ...]:
    match action:
        case Discard(kind):
            idle = kind not in INSTANTS and len(held(state, state.turn)) <= limit(state)
            return (IDLE, _topped(kind)) if idle else (_topped(kind),)
        case Instant(kind) if kind == WILLOW:
            return (_topped(kind),)
        case Lull():
            return (_topped(WILLOW),)
        case Equation(cards):
            return (_topped(*cards),)
        case FalsePair(one, two):
            return (_topped(one, two),)
        case Pair(number):
            return (_topped(number),)
        case Book(number):
            return (_laid(state.turn, number), _topped(BOOK))
        case Rescue(queen, _):
            return (_topped(queen),)
        case Open(kind) if kind is not None:
            return (_topped(kind),)
    return ()


def _topped(*kinds: int) -> Sign:
    """Sign: one of these cards tops the discard pile."""
    return Sign(Verb.TOPPED, DISCARD, tuple(KIND_TEXT[kind] for kind in sorted(kinds)))


def _laid(player: int, kind: int) -> Sign:
    """Sign: a card lies in a realm, perhaps as before."""
    return Sign(Verb.LAID, player_zone(player), (KIND_TEXT[kind],))


def _come(state: State, kind: int, source: int, target: int) -> Sign:
    """Sign that a card of a kind moved from the realm of player `source` to that of `target`.

    A sleeping queen is shown on the way.
    """
    return _shown(kind) if kind in state.asleep[source] else _laid(target, kind)


def _shown(queen: int) -> Sign:
    return Sign(Verb.SHOWN, SHOW, (KIND_TEXT[queen],))


def watched(variant: str) -> frozenset[tuple[Verb, str]]:
    """(verb, zone) of signs that only an action can cause.

    Other signs are ignored.
    """
    cells = {(Verb.UNREAD, cell_zone(cell)) for cell in range(CELLS)}
    realms = {(NEW, player_zone(player)) for player in range(max(PLAYERS))}
    claims = {(Verb.PRESS, player_zone(player)) for player in range(max(PLAYERS))}
    return frozenset(cells | realms | claims | {(Verb.CAME, DIE), (Verb.CAME, SHOW), (Verb.TOPPED, DISCARD)})


def already_known(state: State, sign: Sign) -> bool:
    """True if `state` explains a sign, so no action needs to: e.g. the die before the first turn, a knight
    that moves on, a queen who woke."""
    verb, place, kinds = sign
    if place == DIE:
        return state.phase is Phase.SETUP
    if verb != NEW:
        return False
    if kinds[0] in KNIGHT_OF_KIND:
        return True
    asleep = (state.asleep[player] for player in range(state.players) if player_zone(player) == place)
    return any(KIND_TEXT[queen] == kinds[0] for queens in asleep for queen in queens)
