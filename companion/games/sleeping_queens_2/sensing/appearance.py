"""How states and actions of Sleeping Queens 2 look to a camera above the table.

All lies open but for the draw pile, companions of the grid and sleeping queens. The camera reads each
realm: numbers, queens who are awake, books, companions, rescued kings, the foot of the knight's stand, and
instant cards until they are played. A queen who falls asleep is turned over where she lies and is not read
any more; if she changes hands asleep, she is shown first (zone "show"). It sees on which places of the grid
a companion lies face down, the top card of the discard pile, and the die where it comes to rest (zone
"die").
"""

from functools import lru_cache

from companion.games.announcements import ClaimWin, Insist, TakeBack
from companion.games.api import Expectation
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

KING_KIND = "KI"
DIE, SHOW, DISCARD = "die", "show", "discard"
"""Where the die is rolled, where a sleeping queen is shown who changes hands, and the discard pile."""
IRREGULAR = Sign(Verb.IRREGULAR)
"""What the rules forbid is done seldom."""
IDLE = Sign(Verb.IDLE)
"""Seldom does somebody discard more than they must, or leave a gnome unused."""
NEW = Verb.NEW
SILENT = Sign(Verb.SILENT)
"""The action leaves no passing sign. The cards that lie there afterwards show it."""
_USEFUL = (Phase.WAKE, Phase.FETCH, Phase.STEAL, Phase.TAKE)
"""Phases in which to pass is a pity."""


@lru_cache(maxsize=CELLS)
def cell_zone(cell: int) -> str:
    """The zone of a place of the grid; places count from 0 here, from 1 on the mat."""
    return f"companion {cell + 1}"


@lru_cache(maxsize=8)
def player_zone(player: int) -> str:
    """The zone of a player's realm."""
    return f"player {player + 1}"


def lying(state: State, player: int) -> Cards:
    """The cards that lie face up in a player's realm, kings and knight apart, in no order."""
    cards = state.realms[player] + state.companions[player]
    if player != state.turn:
        return cards
    return cards + state.drawn + ((state.played,) if state.played else ())


@lru_cache(maxsize=1 << 13)
def realm_view(cards: Cards, kings: int, knight: int) -> tuple[str, ...]:
    """What the camera reads in a realm: the kinds of `cards`, kings and knight, sorted as text."""
    stand = () if knight == Knight.UNKNOWN else (knight_kind(knight),)
    return tuple(sorted((*(KIND_TEXT[card] for card in cards), *(KING_KIND,) * kings, *stand)))


def expected_realm(state: State, player: int) -> tuple[str, ...]:
    """What the camera should read in a player's realm."""
    return realm_view(lying(state, player), state.kings[player], state.knights[player])


def expected_view(state: State) -> Expectation:
    """Realms, grid, and the top of the discard pile."""
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
    """The passing signs of an action; what lies there afterwards says the rest."""
    match action:
        case ClaimWin(player):
            return (Sign(Verb.PRESS, player_zone(player)),)
        case Insist(End()):
            return (IRREGULAR,)
        case Insist(forbidden):
            # Rarer than a card that nobody read, or one that is shown and taken back.
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
            # No knight goes round before everybody has seen the dragon.
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
            # Who sleeps is shown before anything else moves.
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
    """One of these cards lies on top of the discard pile."""
    return Sign(Verb.TOPPED, DISCARD, tuple(KIND_TEXT[kind] for kind in sorted(kinds)))


def _laid(player: int, kind: int) -> Sign:
    """A card comes to a realm, in which it may have lain before."""
    return Sign(Verb.LAID, player_zone(player), (KIND_TEXT[kind],))


def _come(state: State, kind: int, source: int, target: int) -> Sign:
    """A card comes from one realm to another; a sleeping queen is shown on the way, then lies face down."""
    return _shown(kind) if kind in state.asleep[source] else _laid(target, kind)


def _shown(queen: int) -> Sign:
    return Sign(Verb.SHOWN, SHOW, (KIND_TEXT[queen],))


def watched() -> frozenset[tuple[Verb, str]]:
    """The signs that should have a cause among the actions; others may come and go."""
    cells = {(Verb.UNREAD, cell_zone(cell)) for cell in range(CELLS)}
    realms = {(NEW, player_zone(player)) for player in range(max(PLAYERS))}
    claims = {(Verb.PRESS, player_zone(player)) for player in range(max(PLAYERS))}
    return frozenset(cells | realms | claims | {(Verb.CAME, DIE), (Verb.CAME, SHOW), (Verb.TOPPED, DISCARD)})


def already_known(state: State, sign: Sign) -> bool:
    """Whether a sign needs no cause: the die before the first turn, a knight who goes round, who woke up."""
    verb, place, kinds = sign
    if place == DIE:
        return state.phase is Phase.SETUP
    if verb != NEW:
        return False
    if kinds[0] in KNIGHT_OF_KIND:
        return True
    asleep = (state.asleep[player] for player in range(state.players) if player_zone(player) == place)
    return any(KIND_TEXT[queen] == kinds[0] for queens in asleep for queen in queens)
