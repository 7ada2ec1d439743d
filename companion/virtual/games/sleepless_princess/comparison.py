"""What a companion made of a game, held against the truth: at its end, at a turn, after an outage."""

from collections import Counter
from collections.abc import Sequence

from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Final,
    Know,
    Open,
    Play,
    Skip,
)
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN, UNKNOWN_FACE
from companion.games.sleepless_princess.rules.state import ASLEEP, Phase, State


def differences(truth: State, tracked: State) -> tuple[str, ...]:
    """Everything in which the tracked state differs from the truth, hidden hands and deck apart.

    A discarded card that no sensor ever saw is as hidden as a hand: to call it unknown is right.
    """

    def faces(state: State) -> list[list[int]]:
        return [[state.faces[slot] for slot in bed] for bed in state.beds]

    pairs = {
        "phase": (truth.phase, tracked.phase),
        "turns": (truth.turns, tracked.turns),
        "row": (truth.row, tracked.row),
        "deck": (len(truth.deck), len(tracked.deck)),
        "hands": ([len(hand) for hand in truth.hands], [len(hand) for hand in tracked.hands]),
        "discard": (sorted(truth.discard), _filled_in(tracked.discard, truth.discard)),
        "beds": (faces(truth), faces(tracked)),
        "princesses": (truth.princesses, tracked.princesses),
        "fates": (truth.fates, tracked.fates),
    }
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def public_differences(truth: State, tracked: State) -> tuple[str, ...]:
    """Everything in which the tracked state differs from the truth in what lies open: turn, row, score."""
    pairs = {
        "phase": (truth.phase, tracked.phase),
        "turn": (truth.turn, tracked.turn),
        "row": (truth.row, tracked.row),
        "princesses": (truth.princesses, tracked.princesses),
        "fates": (truth.fates, tracked.fates),
    }
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def _filled_in(pile: Sequence[int], truth: Sequence[int]) -> list[int]:
    """A pile with what it lacks of the truth in place of its unknown cards, ascending."""
    lacking = sorted((Counter(truth) - Counter(pile)).elements())
    return sorted([*(kind for kind in pile if kind != UNKNOWN), *lacking[: pile.count(UNKNOWN)]])


def outage_faults(truth: State, tracked: State) -> tuple[str, ...]:
    """What a companion says wrongly at the end of a game that it did not see all of. What it does not know is
    no fault, nor how many turns it was and how many cards are left."""
    found = [
        f"{name}: {is_so} seen as {seen}"
        for name, is_so, seen in (
            ("phase", truth.phase, tracked.phase),
            ("fates", truth.fates, tracked.fates),
            ("princesses", truth.princesses, tracked.princesses),
        )
        if is_so != seen
    ]
    for bed, (slots, believed) in enumerate(zip(truth.beds, tracked.beds, strict=True), 1):
        faces, seen = [truth.faces[slot] for slot in slots], [tracked.faces[slot] for slot in believed]
        if len(faces) != len(seen):
            found.append(f"bed {bed}: {len(faces)} mattresses counted as {len(seen)}")
        elif Counter(face for face in seen if face != UNKNOWN_FACE) - Counter(faces):
            found.append(f"bed {bed}: {faces} seen as {seen}")
    return tuple(found)


def score_right(truth: State, tracked: State) -> bool:
    """Whether as many princesses sleep as the companion says at the end."""
    return tracked.phase is Phase.OVER and truth.fates.count(ASLEEP) == tracked.fates.count(ASLEEP)


def in_sight(action: Action) -> Action | None:
    """An action by which cards come to rest in sight; the truth does not name the card that was laid open."""
    if isinstance(action, Deck | Skip | Claim | Final | Know):
        return None
    return Open() if isinstance(action, Open) else action


def begins_turn(action: Action) -> bool:
    """Whether this is the first action of a turn."""
    return isinstance(action, Play | Discard | Skip)


def awaits(state: State, player: int) -> bool:
    """Whether a turn of this player (from 0) begins."""
    return state.phase is Phase.PLAY and state.turn == player
