"""Look of Sleeping Queens' states and actions to the camera.

The camera reads open cards: played cards in the middle (zone "play"), the top of the discard pile, awake
queens.
It counts unreadable cards in the middle. It sees which grid places hold a card, and reads a queen turned up
there.
"""

from collections.abc import Iterable
from functools import lru_cache

from companion.games.appearance import Expectation
from companion.games.signs import ANY_KINDS, UNKNOWN_KIND, Sign, Verb
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
from companion.games.win_claims import ClaimWin, Insist, TakeBack, player_zone

UNREADABLE = Sign(Verb.UNREADABLE)
"""Sign of an action whose card was laid, but never read by the camera."""
IRREGULAR = Sign(Verb.IRREGULAR)
"""Sign of a forbidden action. No sensor reports it; it only makes that explanation less likely."""
LATE = Sign(Verb.LATER)
"""Sign of an attack that was answered too late. No sensor reports it."""
IDLE = Sign(Verb.IDLE)
"""Sign of a power card that is discarded, not used. People rarely do so, and no sensor reports it."""
POWERS = (KING, JESTER, KNIGHT, POTION)
"""Kinds that a player on turn can play for their power."""


@lru_cache(maxsize=CELLS)
def cell_zone(cell: int) -> str:
    """Name of the mat zone of a grid place: "queen 1" for place 0."""
    return f"queen {cell + 1}"


@lru_cache(maxsize=1 << 12)
def kinds_text(kinds: Cards) -> tuple[str, ...]:
    """Hand cards' kinds as the camera reports them: sorted texts."""
    return tuple(sorted(KIND_TEXT[kind] for kind in kinds))


@lru_cache(maxsize=1 << 12)
def queens_text(queens: Iterable[int]) -> tuple[str, ...]:
    """Queens (by number) as the camera reports them: names, sorted."""
    return tuple(sorted(QUEEN_NAMES[queen] for queen in queens))


def expected_view(state: State) -> Expectation:
    """What the camera should report: awake queens, played cards, top of the discard pile, occupied grid
    places."""
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
    """Zone of the discard pile -> kinds that may lie on top after the cards `fresh` came together.

    Empty (no prediction) if no card came, or an unread one.
    """
    if not fresh or UNKNOWN in fresh:
        # A pile about to be shuffled lies there only for a moment.
        return {}
    # The cards were read before, so an unread top card means little.
    return {"discard": frozenset((*kinds_text(fresh), UNKNOWN_KIND))}


def signs(state: State, action: Action) -> tuple[Sign, ...]:
    """Traces that an action in `state` leaves for the camera.

    Cards that stay on the table are no sign: `expected_view` of the next state contains them.
    """
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
            # Until its cards lie on the discard pile the end of a turn looks alike, so IRREGULAR is added.
            return (IRREGULAR, swept) if allowed else (swept,)
        case DefendLate():
            return (LATE,)
        case ClaimWin(player):
            return (Sign(Verb.PRESS, player_zone(player)),)
    return ()


def _to_pile(kinds: Cards) -> tuple[Sign, Sign]:
    """Signs of cards swept from the middle onto the discard pile, where one of them lies on top."""
    texts = kinds_text(kinds)
    # With several cards, one of them unread, any card may be on top.
    tops = ANY_KINDS if UNKNOWN in kinds and len(kinds) > 1 else texts
    return Sign(Verb.SWEPT, "play", texts), Sign(Verb.TOPPED, "discard", tops)


def watched(variant: str) -> frozenset[tuple[Verb, str]]:
    """(verb, zone) of signs that only an action can cause.

    Other signs are ignored.
    """
    cells = {(verb, cell_zone(cell)) for cell in range(CELLS) for verb in (Verb.CAME, Verb.UNREAD)}
    claims = {(Verb.PRESS, player_zone(player)) for player in range(PLAYERS[-1])}
    return frozenset(cells | claims | {(Verb.LIES, "play"), (Verb.LEFT, "play"), (Verb.TOPPED, "discard")})
