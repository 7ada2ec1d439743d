"""Claims and the final check: what the known mattresses decide, and what an outcome changes.

Rulebook, "It's time to lull the princess!" and "End of the game".

>>> from random import Random
>>> from companion.games.sleepless_princess.rules.dealing import setup
>>> from companion.games.sleepless_princess.rules.hidden_state import hide
>>> state = setup("basic", 2, Random(1))
>>> settled(state, 0), settled(hide(state), 0)
(False, None)
>>> apply_claim(state, Claim(0)).fates
(2, 0, 0, 0, 0)
"""

from collections import Counter
from functools import lru_cache
from itertools import product

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.actions import Claim, Final
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN_FACE, face_of
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State, Variant

SECTION = "It's time to lull the princess!"
END = "End of the game"


def full_set(variant: Variant, princess: int) -> tuple[int, ...]:
    """Faces of all mattresses of a `princess` (from 0)."""
    faces = (face_of(princess, False),) * 2
    return (*faces, face_of(princess, True)) if variant.smooth else faces


def completed(state: State) -> State:
    """The state with its unknown mattress faces filled in.

    It is unchanged unless only one kind of face is left for all of them.
    """
    unknown = state.faces.count(UNKNOWN_FACE)
    if not unknown:
        return state
    left = Counter(face for princess in state.princesses for face in full_set(state.game.variant, princess))
    left.subtract(face for face in state.faces if face != UNKNOWN_FACE)
    missing = +left
    if len(missing) != 1 or left.total() != unknown or missing.total() != unknown:
        return state
    face = next(iter(missing))
    return state._replace(faces=tuple(face if known == UNKNOWN_FACE else known for known in state.faces))


@lru_cache(maxsize=1 << 12)
def settled(state: State, bed: int) -> bool | None:
    """True if a bed (from 0) holds exactly its princess's mattresses, False if not.

    None if known faces do not tell. Known faces also tell which faces are left for unknown mattresses. A bed
    whose princess sleeps holds her own set.
    """
    variant = state.game.variant
    princess = state.princesses[bed]
    slots = state.beds[bed]
    if len(slots) != variant.mattresses_per_bed:
        return False
    faces = state.faces
    if any(faces[slot] >= 0 and faces[slot] >> 1 != princess for slot in slots):
        return False
    needed = Counter(full_set(variant, princess))
    needed.subtract(faces[slot] for slot in slots if faces[slot] >= 0)
    if min(needed.values()) < 0:
        return False
    if not needed.total():
        return True
    left = _left_in_play(state)
    if any(left[face] < count for face, count in needed.items()):
        return False
    # True if every remaining mattress lies here, or all remaining ones have one face. A foreign mattress
    # mixed into the game replaces one of a set, and nobody knows which: then None.
    left = +left
    return True if left.total() == needed.total() or len(left) == 1 else None


def _left_in_play(state: State) -> Counter[int]:
    """How often each face occurs among the unknown mattresses of beds that do not sleep."""
    variant = state.game.variant
    left = Counter(face for princess in state.princesses for face in full_set(variant, princess))
    left.subtract(face for face in state.faces if face != UNKNOWN_FACE)
    for bed, slots in enumerate(state.beds):
        if state.fates[bed] == ASLEEP:
            hers = Counter(full_set(variant, state.princesses[bed]))
            hers.subtract(state.faces[slot] for slot in slots if state.faces[slot] >= 0)
            left.subtract(hers)
    return left


_SETTLED_CLAIMS: dict[tuple[int, ...], tuple[Claim, ...]] = {}
_CLAIMS = tuple(Claim(bed) for bed in range(5))


def legal_claims(state: State) -> tuple[Claim, ...]:
    """Every claim possible now: one for each awake princess.

    If known faces leave the outcome open, there is one claim for each outcome.
    """
    fates = state.fates
    if UNKNOWN_FACE not in state.faces:
        claims = _SETTLED_CLAIMS.get(fates)
        if claims is None:
            claims = tuple(_CLAIMS[bed] for bed, fate in enumerate(fates) if fate == AWAKE)
            _SETTLED_CLAIMS[fates] = claims
        return claims
    found: list[Claim] = []
    for bed, fate in enumerate(fates):
        if fate != AWAKE:
            continue
        if settled(state, bed) is None:
            found += (Claim(bed, True), Claim(bed, False))
        else:
            found.append(_CLAIMS[bed])
    return tuple(found)


def legal_finals(state: State) -> tuple[Final, ...]:
    """Final check, once for each outcome that known faces allow."""
    awake = [bed for bed, fate in enumerate(state.fates) if fate == AWAKE]
    open_beds = [bed for bed in awake if settled(state, bed) is None]
    if not open_beds:
        return (Final(),)
    found = []
    for outcomes in product((True, False), repeat=len(open_beds)):
        told: list[bool | None] = [None] * len(state.beds)
        for bed, outcome in zip(open_beds, outcomes, strict=True):
            told[bed] = outcome
        final = Final(tuple(told))
        try:
            apply_final(state, final)
        except IllegalError:
            continue
        found.append(final)
    return tuple(found)


def apply_claim(state: State, action: Claim) -> State:
    """The state after a claim.

    IllegalError if the bed cannot be claimed, or if known faces contradict the outcome.
    """
    bed = action.bed
    if not Phase.PLAY <= state.phase <= Phase.LAY:
        raise IllegalError("claim-wrong-time", SECTION, "Claims are made while the game goes on.")
    if not 0 <= bed < len(state.beds):
        raise IllegalError("no-such-bed", SECTION, f"There is no bed {bed + 1}.")
    if state.fates[bed] != AWAKE:
        what = "sleeps already" if state.fates[bed] == ASLEEP else "is out of the game"
        raise IllegalError("claim-not-awake", SECTION, f"The princess of bed {bed + 1} {what}.")
    after = _resolve(state, bed, _decide(state, bed, action.asleep))
    if AWAKE not in after.fates:
        return after._replace(phase=Phase.OVER, touches=0, looks=0, checked=())
    return after


def apply_final(state: State, action: Final) -> State:
    """The state after the final check of all awake beds.

    IllegalError if known faces contradict the outcomes.
    """
    if state.phase is not Phase.FINAL:
        raise IllegalError("final-wrong-time", END, "The final check comes after every last turn.")
    told = action.asleep or (None,) * len(state.beds)
    if len(told) != len(state.beds):
        raise IllegalError(
            "final-beds", END, f"Outcomes for {len(told)} beds, but there are {len(state.beds)}."
        )
    for bed, outcome in enumerate(told):
        if state.fates[bed] != AWAKE and outcome is not None:
            raise IllegalError(
                "final-not-awake", END, f"Bed {bed + 1} is not awake; it has no outcome to tell."
            )
    # Sleeping beds come first, because their mattresses cannot lie on other beds.
    for wanted in (True, False, None):
        for bed, outcome in enumerate(told):
            if state.fates[bed] == AWAKE and outcome is wanted:
                state = _resolve(state, bed, _decide(state, bed, outcome))
    return state._replace(phase=Phase.OVER)


def _decide(state: State, bed: int, told: bool | None) -> bool:
    known = settled(state, bed)
    if known is None:
        if told is None:
            raise IllegalError(
                "claim-open",
                SECTION,
                f"The mattresses known so far do not settle bed {bed + 1}: tell the outcome.",
            )
        return told
    if told is not None and told is not known:
        was = "all right" if known else "not right"
        raise IllegalError(
            "claim-contradicted",
            SECTION,
            f"The mattresses known on bed {bed + 1} are {was}, told was the opposite.",
        )
    return known


def _resolve(state: State, bed: int, asleep: bool) -> State:
    slots = state.beds[bed]
    fates = state.fates
    faces = state.faces
    checked = state.checked
    if asleep:
        faces = _faces_asleep(state, bed)
        checked = tuple(entry for entry in checked if entry[0] not in slots)
    after = state._replace(
        faces=faces,
        fates=(*fates[:bed], ASLEEP if asleep else OUT, *fates[bed + 1 :]),
        checked=checked,
        shown=tuple(sorted({*state.shown, *slots})),
    )
    return completed(after) if faces != state.faces else after


def _faces_asleep(state: State, bed: int) -> tuple[int, ...]:
    # Only certain faces are set. Which of two unknown mattresses is the smooth one stays open.
    slots = state.beds[bed]
    left = Counter(full_set(state.game.variant, state.princesses[bed]))
    left.subtract(state.faces[slot] for slot in slots if state.faces[slot] >= 0)
    possible = [face for face, count in left.items() if count > 0]
    if len(possible) != 1:
        return state.faces
    return tuple(possible[0] if face < 0 and slot in slots else face for slot, face in enumerate(state.faces))
