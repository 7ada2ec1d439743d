"""All legal actions of a state: those of the player on turn or of chance, then the claims."""

from collections.abc import Callable
from functools import lru_cache

from companion.games.rules import FaultyStateError
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Deck,
    Done,
    Lay,
    Look,
    Move,
    Open,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import (
    BLANKET,
    PRINCESS_TYPES,
    UNKNOWN,
    UNKNOWN_FACE,
    WITCH,
)
from companion.games.sleepless_princess.rules.cardsets import HAND_SIZE, ROW_SIZE, Cards, unseen
from companion.games.sleepless_princess.rules.claim_rules import full_set, legal_claims, legal_finals
from companion.games.sleepless_princess.rules.plays import (
    discards_for,
    discards_within,
    may_lack_plays,
    plays_for,
    plays_within,
)
from companion.games.sleepless_princess.rules.state import ASLEEP, Phase, State, Variant
from companion.games.sleepless_princess.rules.state_faults import status

Actions = tuple[Action, ...]

MOST_DISCARDS = 2
"""Number of cards that a player may discard in a turn (rulebook, "Discard 1 or 2 cards")."""

_DONE, _SKIP, _DECK, _DECK_WITCH, _OPEN = Done(), Skip(), Deck(), Deck(WITCH), Open()
_TOUCH = tuple(Touch(bed) for bed in range(5))
_LOOK = tuple(Look(bed) for bed in range(5))
_MOVE = tuple(tuple(Move(source, target) for target in range(5)) for source in range(5))
_TAKE = tuple(Take(kind) for kind in range(BLANKET + 1))
_OPEN_KIND = tuple(Open(kind) for kind in range(WITCH + 1))


def legal_actions(state: State) -> Actions:
    """Every action that the player on turn, or chance, can do now, claims last.

    Empty if the game is over.

    With hidden cards: every action that some hidden cards would allow. `Know`, possible at any time, is not
    listed. FaultyStateError for an impossible state whose actions cannot be listed.
    """
    try:
        return _BY_PHASE[state[1]](state)
    except LookupError:
        # Checking for faults is slow, and simulations call this function at every step.
        if faults := status(state):
            raise FaultyStateError(faults) from None
        raise


def to_be_had(state: State) -> int:
    """Number of drawable cards, unseen witches included.

    A player may discard only as many (a decision, not in the rulebook).
    """
    return len(state.row) + len(state.deck)


def _play(state: State) -> Actions:
    hand = state.hands[state.turn]
    name = state.game.variant.name
    # A row of two cards suffices, so the deck need not be counted.
    most = MOST_DISCARDS if len(state.row) > 1 else min(MOST_DISCARDS, to_be_had(state))
    if hand and hand[0] == UNKNOWN:
        left = tuple(min(count, HAND_SIZE) for count in unseen(state))
        return _play_hidden(name, hand, most, left) + legal_claims(state)
    return _play_known(name, hand, most) + legal_claims(state)


@lru_cache(maxsize=1 << 15)
def _play_known(name: str, hand: Cards, most: int) -> Actions:
    return (*plays_for(name, hand), *discards_for(name, hand, most)) or (_SKIP,)


@lru_cache(maxsize=1 << 12)
def _play_hidden(name: str, hand: Cards, most: int, left: Cards) -> Actions:
    found: list[Action] = [*plays_within(name, hand, left), *discards_within(name, hand, most, left)]
    if not most and may_lack_plays(name, hand, left):
        found.append(_SKIP)
    return tuple(found)


def _check(state: State) -> Actions:
    in_play = tuple(bed for bed, fate in enumerate(state.fates) if fate != ASLEEP)
    filled = tuple(bed for bed in in_play if state.beds[bed])
    slots = [slot for slot, _ in state.checked]
    sources = tuple(bed for bed in filled if state.beds[bed][0] in slots) if slots else ()
    return _check_in(filled, in_play, sources, state.touches > 0, state.looks > 0) + legal_claims(state)


@lru_cache(maxsize=1 << 12)
def _check_in(filled: Cards, in_play: Cards, sources: Cards, touch: bool, look: bool) -> Actions:
    found: list[Action] = [_DONE]
    if touch:
        found += [_TOUCH[bed] for bed in filled]
    if look:
        found += [_LOOK[bed] for bed in filled]
    found += [_MOVE[source][target] for source in sources for target in in_play]
    return tuple(found)


def _draw(state: State) -> Actions:
    deck = state.deck
    if deck and deck[-1] == UNKNOWN:
        return _draw_from(state.row, *_top_may_be(state)) + legal_claims(state)
    return _draw_from(state.row, bool(deck), False) + legal_claims(state)


@lru_cache(maxsize=1 << 14)
def _draw_from(row: Cards, deck: bool, witch: bool) -> Actions:
    found: list[Action] = [_TAKE[kind] for kind in sorted(set(row))]
    if deck:
        found.append(_DECK)
    if witch:
        found.append(_DECK_WITCH)
    return tuple(found)


def _top_may_be(state: State) -> tuple[bool, bool]:
    """(True if it may be a helper or blanket, True if it may be a witch): the deck's top card.

    The card is unknown. Unknown witches are always in the deck. If the deck has no more unknown cards than
    witches, all of them are witches.
    """
    witches = unseen(state)[WITCH]
    return state.deck.count(UNKNOWN) > witches, witches > 0


def _lay(state: State) -> Actions:
    if state.deck and state.deck[-1] == UNKNOWN:
        return openings(state) + legal_claims(state)
    return (_OPEN, *legal_claims(state))


def openings(state: State) -> Actions:
    """Actions that turn the deck's unknown top card into the open row, one for each kind that it may be.

    No witch in SETUP, because witches join the deck later.
    """
    left = unseen(state)
    friendly, witch = _top_may_be(state)
    found = [_OPEN_KIND[kind] for kind in range(1, WITCH) if friendly and left[kind] > 0]
    if witch and state.phase is not Phase.SETUP:
        found.append(_OPEN_KIND[WITCH])
    return tuple(found)


def types_possible(state: State) -> list[int]:
    """Princess types (0 to 9) that may be in this game: all ten, until tiles and mattresses show one for each
    bed."""
    named = {kind for kind in state.princesses if kind >= 0}
    if len(named) < len(state.beds):
        named |= {face >> 1 for face in state.faces if face >= 0}
    return sorted(named) if len(named) >= len(state.beds) else list(range(PRINCESS_TYPES))


def faces_left(state: State) -> tuple[int, ...]:
    """Every face that the next dealt mattress may have."""
    return _faces_left(state.game.variant, tuple(types_possible(state)), state.faces)


@lru_cache(maxsize=1 << 10)
def _faces_left(variant: Variant, types: tuple[int, ...], faces: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(
        face
        for kind in types
        for face in sorted(set(full_set(variant, kind)))
        if faces.count(face) < _copies(variant, face)
    )


def _copies(variant: Variant, face: int) -> int:
    return full_set(variant, face >> 1).count(face)


def _setup(state: State) -> Actions:
    variant = state.game.variant
    free = [kind for kind in types_possible(state) if kind not in state.princesses]
    found: list[Action] = [
        Seat(bed, kind) for bed, seated in enumerate(state.princesses) if seated < 0 for kind in free
    ]
    faces = (UNKNOWN_FACE, *faces_left(state))
    found += [
        Lay(bed, face)
        for bed, slots in enumerate(state.beds)
        if len(slots) < variant.mattresses_per_bed
        for face in faces
    ]
    if len(state.row) < ROW_SIZE:
        found += openings(state)
    return tuple(found)


def _over(_state: State) -> Actions:
    return ()


# Indexed by phase, because an index is faster than comparing enum members.
_BY_PHASE: tuple[Callable[[State], Actions], ...] = (_setup, _play, _check, _draw, _lay, legal_finals, _over)
