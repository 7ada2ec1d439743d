"""The comparison of a tracked game with the truth: at its end, at a turn, after an outage."""

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
from companion.virtual.rehearsal_api import differing


def differences(truth: State, tracked: State) -> tuple[str, ...]:
    """Facts that the tracked state has wrong, in words.

    Empty if none. Hidden hands and deck are not compared. An unknown discarded card counts as right if no
    sensor saw it.
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
    return differing(pairs)


def public_differences(truth: State, tracked: State) -> tuple[str, ...]:
    """Facts that everybody can see and the tracked state has wrong, in words.

    Compared are phase, turn, open row, princesses and fates.
    """
    pairs = {
        "phase": (truth.phase, tracked.phase),
        "turn": (truth.turn, tracked.turn),
        "row": (truth.row, tracked.row),
        "princesses": (truth.princesses, tracked.princesses),
        "fates": (truth.fates, tracked.fates),
    }
    return differing(pairs)


def _filled_in(pile: Sequence[int], truth: Sequence[int]) -> list[int]:
    """Replace the unknown cards of a tracked pile by true ones that it lacks.

    The result is sorted. `truth`: the true pile.
    """
    lacking = sorted((Counter(truth) - Counter(pile)).elements())
    return sorted([*(kind for kind in pile if kind != UNKNOWN), *lacking[: pile.count(UNKNOWN)]])


def outage_faults(truth: State, tracked: State) -> tuple[str, ...]:
    """Wrong facts of a companion that missed a part of the game, in words.

    Unknown mattresses, the number of turns and the number of cards left do not count.
    """
    found = [
        *differing(
            {
                "phase": (truth.phase, tracked.phase),
                "fates": (truth.fates, tracked.fates),
                "princesses": (truth.princesses, tracked.princesses),
            }
        )
    ]
    for bed, (slots, believed) in enumerate(zip(truth.beds, tracked.beds, strict=True), 1):
        faces, seen = [truth.faces[slot] for slot in slots], [tracked.faces[slot] for slot in believed]
        if len(faces) != len(seen):
            found.append(f"bed {bed}: {len(faces)} mattresses counted as {len(seen)}")
        elif Counter(face for face in seen if face != UNKNOWN_FACE) - Counter(faces):
            found.append(f"bed {bed}: {faces} seen as {seen}")
    return tuple(found)


def score_right(truth: State, tracked: State) -> bool:
    """True if the tracked game is over with the true number of sleeping princesses."""
    return tracked.phase is Phase.OVER and truth.fates.count(ASLEEP) == tracked.fates.count(ASLEEP)


def in_sight(action: Action) -> Action | None:
    """Part of an action that everybody can see.

    Hidden cards have no names in it, nor has a card laid open. None if the action lays no card in sight.
    """
    if isinstance(action, Deck | Skip | Claim | Final | Know):
        return None
    return Open() if isinstance(action, Open) else action


def begins_turn(action: Action) -> bool:
    """True if the action begins a turn: a play, a discard or a skip."""
    return isinstance(action, Play | Discard | Skip)


def awaits(state: State, player: int) -> bool:
    """True if `player`'s turn (from 0) begins in `state`."""
    return state.phase is Phase.PLAY and state.turn == player
