"""All legal actions of a state."""

from collections.abc import Callable, Iterator
from functools import lru_cache

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
from companion.games.sleeping_queens_2.rules.equations import equations
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    CELLS,
    EMPTY,
    INSTANTS,
    LIMIT,
    NUMBERS,
    QUEENS,
    Knight,
    knights_for,
)
from companion.games.sleeping_queens_2.rules.parts import FACES
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State

OPEN, DRAW, SHUFFLE, MIX, PASS, END = Open(), Draw(), Shuffle(), Mix(), Pass(), End()
_REROLLS = (Reroll(), Keep())
_ROLLS = {face: Roll(face) for face in FACES}
_FETCHES = tuple(map(Fetch, range(CELLS)))
_RETURNS = tuple(map(PutBack, range(CELLS)))


def legal_actions(state: State) -> tuple[Action, ...]:
    """Every legal action of the player on turn, or chance.

    Empty if the game is over.

    Actions name no hidden card and no order of a shuffle; `spell_out` and `by_chance` add them.
    Each die face is listed once, though `by_chance` draws it as often as the die has it.
    """
    possible = _LEGAL.get(state.phase)
    return possible(state) if possible else ()


def needs_mixing(state: State) -> bool:
    """True if all companions of the grid lie face up: they are shuffled before one is taken."""
    return any(state.face_up) and not _face_down(state)


def limit(state: State) -> int:
    """Number of cards that the player on turn may keep: LIMIT, or one more with the knight of six."""
    return LIMIT + (state.knights[state.turn] == Knight.SIX)


def held(state: State, player: int) -> Cards:
    """A player's (from 0) cards that count for the limit: all except companions and kings."""
    return state.realms[player] + state.asleep[player]


def has_knight(state: State, player: int, knight: Knight) -> bool:
    """True if a player (from 0) has this knight now."""
    return state.knights[player] == knight


def sleeper(state: State) -> int | None:
    """Player (from 0) whose queens a willow puts to sleep.

    None if nobody's.

    The first player from the one on turn to the left who has awake queens and no shield against willows.
    """
    for seat in range(state.players):
        player = (state.turn + seat) % state.players
        awake = any(card in QUEENS for card in state.realms[player])
        if awake and not has_knight(state, player, Knight.WILLOW):
            return player
    return None


def _setup(state: State) -> tuple[Action, ...]:
    if Knight.UNKNOWN in state.knights:
        return tuple(Give(knight) for knight in knights_for(state.players) if knight not in state.knights)
    return (OPEN,)


def _rolls(state: State) -> tuple[Action, ...]:
    return _different_rolls(state.parts.die)


@lru_cache(maxsize=64)
def _different_rolls(die: Cards) -> tuple[Action, ...]:
    return tuple(_ROLLS[face] for face in FACES if face in die)


def _wakes(state: State) -> tuple[Action, ...]:
    return (*map(Wake, state.asleep[state.turn]), PASS)


def _draw(state: State) -> tuple[Action, ...]:
    return (DRAW,) if state.deck else (SHUFFLE,)


def _instants(state: State) -> tuple[Action, ...]:
    return tuple(Instant(kind) for kind in INSTANTS if kind in state.drawn)


def _face_down(state: State) -> list[int]:
    return [cell for cell, card in enumerate(state.cells) if card != EMPTY and not state.face_up[cell]]


def _fetches(state: State) -> tuple[Action, ...]:
    found: list[Action] = [_FETCHES[cell] for cell in _face_down(state)]
    if not found and any(state.face_up):
        return (MIX,)
    if state.played or state.undo is not None:
        found.append(PASS)
    return tuple(found)


def _steals(state: State) -> tuple[Action, ...]:
    found: list[Action] = []
    for victim in range(state.players):
        if victim != state.turn:
            found += _steals_from(victim, held(state, victim))
    return (*found, PASS)


@lru_cache(maxsize=1 << 14)
def _steals_from(victim: int, cards: Cards) -> tuple[Action, ...]:
    return tuple(Steal(victim, kind) for kind in dict.fromkeys(cards))


def _takes(state: State) -> tuple[Action, ...]:
    return (*(Take(queen) for queen in sorted(state.discard) if queen in QUEENS), PASS)


@lru_cache(maxsize=8)
def _exchanges_of(players: int) -> tuple[Action, ...]:
    pairs = [(one, two) for one in range(players) for two in range(one + 1, players)]
    return (*(Exchange(one, two) for one, two in pairs), PASS)


def _exchanges(state: State) -> tuple[Action, ...]:
    return _exchanges_of(state.players)


def _swaps(state: State) -> tuple[Action, ...]:
    own, companions = held(state, state.turn), state.companions[state.turn]
    found: list[Action] = []
    for victim in range(state.players):
        if victim != state.turn and not has_knight(state, victim, Knight.WITCH):
            found += _swaps_with(own, victim, held(state, victim))
            found += _swaps_with(companions, victim, state.companions[victim])
    return (*found, PASS)


@lru_cache(maxsize=1 << 13)
def _swaps_with(own: Cards, victim: int, cards: Cards) -> tuple[Action, ...]:
    return tuple(_swap(one, victim, kind) for one in dict.fromkeys(own) for kind in dict.fromkeys(cards))


@lru_cache(maxsize=1 << 13)
def _swap(own: int, victim: int, kind: int) -> Swap:
    return Swap(own, victim, kind)


def _plays(state: State) -> tuple[Action, ...]:
    turn = state.turn
    realm = state.realms[turn]
    found: list[Action] = []
    if state.cells.count(EMPTY) < CELLS:
        found += _equations(realm, state.knights[turn] == Knight.MATH)
    if state.asleep[turn]:
        found += _pairs(realm)
    if BOOK in realm:
        found += [_BOOKS[number] for number in NUMBERS if number in state.discard]
    if state.companions[turn]:
        found += _rescues(state)
    return (*found, *_discards(state))


@lru_cache(maxsize=1 << 16)
def _equations(realm: Cards, knight: bool) -> tuple[Action, ...]:
    return _equations_of(tuple(card for card in realm if card in NUMBERS), knight)


@lru_cache(maxsize=1 << 16)
def _equations_of(numbers: Cards, knight: bool) -> tuple[Action, ...]:
    return tuple(map(Equation, equations(numbers, knight)))


@lru_cache(maxsize=1 << 16)
def _pairs(realm: Cards) -> tuple[Action, ...]:
    return tuple(Pair(number) for number in NUMBERS if realm.count(number) > 1)


_BOOKS = {number: Book(number) for number in NUMBERS}


def _rescues(state: State) -> Iterator[Action]:
    for queen in state.realms[state.turn]:
        if queen in QUEENS:
            for companion in state.companions[state.turn]:
                if state.parts.fits(queen, companion):
                    yield Rescue(queen, companion)


def _discards(state: State) -> tuple[Action, ...]:
    cards = held(state, state.turn)
    discards = _discards_of(cards)
    if state.drawn:
        # Instant cards left lying have to be played before the turn ends.
        return (*discards, *_instants(state))
    return discards if len(cards) > limit(state) else (*discards, END)


@lru_cache(maxsize=1 << 16)
def _discards_of(cards: Cards) -> tuple[Action, ...]:
    return tuple(Discard(kind) for kind in dict.fromkeys(cards))


def _returns(state: State) -> tuple[Action, ...]:
    return tuple(_RETURNS[cell] for cell, card in enumerate(state.cells) if card == EMPTY)


_LEGAL: dict[Phase, Callable[[State], tuple[Action, ...]]] = {
    Phase.SETUP: _setup,
    Phase.ROLL: _rolls,
    Phase.REROLL: lambda _: _REROLLS,
    Phase.WAKE: _wakes,
    Phase.DRAW: _draw,
    Phase.INSTANT: _instants,
    Phase.GNOME: _rolls,
    Phase.FETCH: _fetches,
    Phase.STEAL: _steals,
    Phase.TAKE: _takes,
    Phase.EXCHANGE: _exchanges,
    Phase.SWAP: _swaps,
    Phase.PLAY: _plays,
    Phase.RETURN: _returns,
    Phase.DISCARD: _discards,
}
