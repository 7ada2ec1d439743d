"""How states and actions of Sleeping Queens look to a camera above the table.

The camera reads what lies open: cards in the middle (zone "play") until they are swept onto the discard
pile, whose top card it sees, and awake queens in front of each player. In the middle it also counts the cards
that it cannot read. Sleeping queens lie face down: it sees on which places of the grid a card lies, and a queen
when she is turned up there.
"""

from collections.abc import Iterable
from functools import lru_cache

from companion.games.announcements import ClaimWin, Insist, TakeBack
from companion.games.api import ANY_KINDS, UNKNOWN_KIND, Expectation
from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens.rules.actions import (
    Action,
    DefendLate,
    Discard,
    Refill,
    Reveal,
    Shuffle,
    Target,
    Wake,
)
from companion.games.sleeping_queens.rules.equations import Cards, readings
from companion.games.sleeping_queens.rules.kinds import (
    CELLS,
    EMPTY,
    JESTER,
    KIND_TEXT,
    KING,
    KNIGHT,
    NUMBERS,
    POTION,
    QUEEN_NAMES,
    UNKNOWN,
)
from companion.games.sleeping_queens.rules.legal_actions import useful
from companion.games.sleeping_queens.rules.state import PLAYERS, Phase, State

UNREADABLE = Sign(Verb.UNREADABLE)
"""A card lay there and was never read."""
IRREGULAR = Sign(Verb.IRREGULAR)
"""What the rules forbid is done seldom."""
LATE = Sign(Verb.LATER)
IDLE = Sign(Verb.IDLE)
"""Who lays down a king or another power uses it: seldom is it only discarded."""
POWERS = (KING, JESTER, KNIGHT, POTION)


@lru_cache(maxsize=CELLS)
def cell_zone(cell: int) -> str:
    """The zone of a place of the grid; places count from 0 here, from 1 on the mat."""
    return f"queen {cell + 1}"


@lru_cache(maxsize=8)
def player_zone(player: int) -> str:
    """The zone of a player's awake queens."""
    return f"player {player + 1}"


@lru_cache(maxsize=1 << 12)
def kinds_text(kinds: Cards) -> tuple[str, ...]:
    """Cards as the camera names them, sorted as text."""
    return tuple(sorted(KIND_TEXT[kind] for kind in kinds))


@lru_cache(maxsize=1 << 12)
def queens_text(queens: Iterable[int]) -> tuple[str, ...]:
    """Queens as the camera names them, sorted as text."""
    return tuple(sorted(QUEEN_NAMES[queen] for queen in queens))


def expected_view(state: State) -> Expectation:
    """Awake queens, played cards, the top of the discard pile, and where queens sleep."""
    return _expected(
        state.awake,
        state.played,
        state.discard[-state.fresh :] if state.fresh else (),
        tuple(queen != EMPTY for queen in state.cells),
        state.phase,
    )


@lru_cache(maxsize=1 << 12)
def _expected(
    awake: tuple[Cards, ...], played: Cards, tops: Cards, asleep: tuple[bool, ...], phase: Phase
) -> Expectation:
    zones = {player_zone(player): queens_text(queens) for player, queens in enumerate(awake)}
    begun = frozenset({"play"}) if phase in (Phase.PLAY, Phase.ANSWER, Phase.JESTER) else frozenset()
    return Expectation(
        zones={"play": kinds_text(tuple(kind for kind in played if kind != UNKNOWN)), **zones},
        tops=_tops(tops),
        counts={},
        begun=begun,
        face_down={
            "play": played.count(UNKNOWN),
            **{cell_zone(cell): int(there) for cell, there in enumerate(asleep)},
        },
    )


def _tops(fresh: Cards) -> dict[str, frozenset[str]]:
    """What may lie on top of the discard pile after these cards came there together."""
    if not fresh or UNKNOWN in fresh:
        # A pile that is to be shuffled lies there for a moment.
        return {}
    # They were read before: whether the top one is read late says little.
    return {"discard": frozenset((*kinds_text(fresh), UNKNOWN_KIND))}


def signs(state: State, action: Action) -> tuple[Sign, ...]:
    """The passing signs of an action; what lies there afterwards says the rest."""
    match action:
        case Discard((kind,)) if kind in POWERS and useful(state, kind):
            return (IDLE,)
        case Discard(kinds) if UNKNOWN in kinds:
            return (UNREADABLE,) * kinds.count(UNKNOWN)
        case Refill():
            return _to_pile(state.played) if state.played else ()
        case Reveal(0, int()):
            return (UNREADABLE,)
        case Reveal(kind) if kind is not None and kind not in NUMBERS:
            unread = (UNREADABLE,) if kind == UNKNOWN else ()
            return (*unread, *_to_pile((*state.played, kind)))
        case Wake(cell, queen):
            name = QUEEN_NAMES[state.cells[cell] if queen is None else queen]
            return (Sign(Verb.SHOWN, cell_zone(cell), (name,)),)
        case Shuffle() if state.phase is Phase.REFILL and state.played:
            return (Sign(Verb.SWEPT, "play", kinds_text(state.played)),)
        case Insist(Discard(kinds)):
            return (IRREGULAR, *(UNREADABLE,) * kinds.count(UNKNOWN))
        case Insist(Target()) if not useful(state, KNIGHT):
            return ()  # the knight was irregular already
        case Insist():
            return (IRREGULAR,)
        case TakeBack():
            swept = Sign(Verb.SWEPT, "play", kinds_text(state.played))
            allowed = state.phase is not Phase.REFILL or readings(state.played)
            # A turn that ends looks the same until its cards lie on the discard pile: it takes time to tell.
            return (IRREGULAR, swept) if allowed else (swept,)
        case DefendLate():
            return (LATE,)
        case ClaimWin(player):
            return (Sign(Verb.PRESS, player_zone(player)),)
    return ()


def _to_pile(kinds: Cards) -> tuple[Sign, Sign]:
    """Cards are swept from the middle, and one of them lies on top of the discard pile then."""
    texts = kinds_text(kinds)
    # Of a single card that was never read the top is unread as well; else it is known which one that was.
    tops = ANY_KINDS if UNKNOWN in kinds and len(kinds) > 1 else texts
    return Sign(Verb.SWEPT, "play", texts), Sign(Verb.TOPPED, "discard", tops)


def watched() -> frozenset[tuple[Verb, str]]:
    """The signs that should have a cause among the actions; others may come and go."""
    cells = {(verb, cell_zone(cell)) for cell in range(CELLS) for verb in (Verb.CAME, Verb.UNREAD)}
    claims = {(Verb.PRESS, player_zone(player)) for player in range(PLAYERS[-1])}
    return frozenset(cells | claims | {(Verb.LIES, "play"), (Verb.LEFT, "play"), (Verb.TOPPED, "discard")})
