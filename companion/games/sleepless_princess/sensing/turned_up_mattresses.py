"""Mattresses of a bed that people turned up: what they tell of its faces, its claim and other beds."""

from collections import Counter
from functools import lru_cache

from companion.games.claims import Verdict
from companion.games.hidden_cards import Reveal
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN_FACE, face_from_text, face_text
from companion.games.sleepless_princess.rules.claim_rules import completed, settled
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State
from companion.games.sleepless_princess.sensing.appearance import dreams, needed_kinds


# Cards that lie open are entered into every hypothesis at every batch, and most hypotheses share a state.
@lru_cache(maxsize=1 << 12)
def reveal(state: State, bed: int, kinds: tuple[str, ...]) -> Reveal[State] | None:
    """Enter a bed's turned up mattresses into the state.

    Beds count from 0. None if these kinds cannot lie there. `kinds`: sorted kinds seen; none at all: an empty
    bed. A princess tile, dreaming side up, proves the claim, because the players saw the mattresses. A fan of
    cards does not tell their order: a slot with several possible faces stays unknown. If only part of the bed
    is turned up, known faces stay. A foreign mattress refutes the claim.
    """
    if state.phase is Phase.SETUP:
        return None
    if not kinds:
        return Reveal(state, 0, Verdict.REFUTED)
    if any(kind[0] == "P" for kind in kinds):
        # The tile with its dreaming side up: the players saw the mattresses themselves.
        return Reveal(state, 0, Verdict.PROVED) if dreams(state, bed, kinds) else None
    if any(kind[1:] not in ("t", "s") for kind in kinds):
        return None  # cards of the deck lie on the bed
    here, slots = Counter(map(face_from_text, kinds)), state.beds[bed]
    new, places = _unexpected(state, bed, here)
    if new.total() > len(places):
        return _too_many(state, bed, kinds) if len(kinds) > len(slots) else None
    wrong = sum(state.faces[slot] >= 0 for slot in places)
    faces = _without_misread(state.beds[bed], _entered(state.faces, new, places), here)
    verdict, fate = _judged(state, bed, kinds)
    fates = (*state.fates[:bed], fate, *state.fates[bed + 1 :])
    known = all(state.faces[slot] != UNKNOWN_FACE for slot in slots)
    return Reveal(completed(state._replace(faces=faces, fates=fates)), wrong, verdict, known)


def _judged(state: State, bed: int, kinds: tuple[str, ...]) -> tuple[Verdict | None, int]:
    """(verdict that a bed's turned up mattresses give, fate of its princess then)."""
    needed = needed_kinds(state, bed)
    hers = kinds == tuple(sorted(needed)) and len(state.beds[bed]) == len(kinds)
    verdict = Verdict.PROVED if hers else Verdict.REFUTED if not _all_hers(kinds, needed) else None
    if verdict is not None and state.fates[bed] != AWAKE:
        # The cards also overrule an earlier verdict on the bed.
        return verdict, ASLEEP if hers else OUT
    # At the end nobody may know whether she sleeps. Foreign mattresses alone may come from clearing the table.
    return verdict, ASLEEP if hers and state.phase is Phase.OVER else state.fates[bed]


def _all_hers(kinds: tuple[str, ...], needed: tuple[str, ...]) -> bool:
    """True if no mattress belongs to another princess. `needed`: kinds of hers."""
    return all(face_text(face_from_text(kind)) in needed for kind in kinds)


def _unexpected(state: State, bed: int, here: Counter[int]) -> tuple[Counter[int], list[int]]:
    """Faces turned up on a bed that nobody believed there, and slots of the bed where they may lie.

    `here`: number of mattresses turned up with each face.
    """
    new, places = Counter(here), []
    for slot in state.beds[bed]:
        if new[state.faces[slot]] > 0:
            new[state.faces[slot]] -= 1
        else:
            places.append(slot)
    if here.total() < len(state.beds[bed]):
        places = [slot for slot in places if state.faces[slot] == UNKNOWN_FACE]
    return +new, places


def _entered(faces: tuple[int, ...], new: Counter[int], places: list[int]) -> list[int]:
    """Faces of all slots once the faces `new` are known to lie in some of `places`.

    A slot with several possible faces becomes unknown.
    """
    entered = list(faces)
    plain = len(new) == 1 and new.total() == len(places)
    if plain or any(faces[slot] >= 0 for slot in places):
        for slot in places:
            entered[slot] = min(new) if plain else UNKNOWN_FACE
    return entered


def _without_misread(slots: tuple[int, ...], faces: list[int], here: Counter[int]) -> tuple[int, ...]:
    """Faces of all slots without those that the game has not so often.

    A face turned up too often for its copies was misread, elsewhere first, else on this bed. `slots`: of the
    bed. `here`: number of mattresses turned up with each face.
    """
    there = here + Counter(face for slot, face in enumerate(faces) if slot not in slots)
    return tuple(
        UNKNOWN_FACE if face >= 0 and (here if slot in slots else there)[face] > _copies(face) else face
        for slot, face in enumerate(faces)
    )


def _copies(face: int) -> int:
    """Number of mattresses with a face: one smooth, two textured."""
    return 1 if face & 1 else 2


def _too_many(state: State, bed: int, kinds: tuple[str, ...]) -> Reveal[State] | None:
    """Enter more mattresses than a bed was believed to have.

    If nobody knows where they come from, only a foreign one changes anything: it refutes the claim.
    """
    more = len(kinds) - len(state.beds[bed])
    brought = _brought(state, bed, kinds)
    if brought is not None:
        shown = reveal(brought, bed, kinds)
        return shown and Reveal(shown.state, more + shown.wrong, shown.verdict)
    stranger = not _all_hers(kinds, needed_kinds(state, bed))
    fates = list(state.fates)
    if stranger and state.fates[bed] != AWAKE:
        fates[bed] = OUT
    return Reveal(state._replace(fates=tuple(fates)), more, Verdict.REFUTED if stranger else None)


def _brought(state: State, bed: int, kinds: tuple[str, ...]) -> State | None:
    """Move mattresses onto the bed that showed too many.

    Their faces say on which beds they lay. Returns the state then. None if it cannot be told where all came
    from, or before the end of the game: the other bed's count would reveal hidden faces.
    """
    came = _from_other_beds(state, bed, kinds) if state.phase is Phase.OVER else None
    if came is None or len(came) != len(kinds) - len(state.beds[bed]):
        return None
    beds = [tuple(slot for slot in slots if slot not in came) for slots in state.beds]
    beds[bed] = (*state.beds[bed], *came)
    brought = state._replace(beds=tuple(beds))
    fates = list(state.fates)
    for other, slots in enumerate(state.beds):
        if other != bed and beds[other] != slots:
            fates[other] = ASLEEP if settled(brought, other) else OUT
    return brought._replace(fates=tuple(fates))


def _from_other_beds(state: State, bed: int, kinds: tuple[str, ...]) -> list[int] | None:
    """Slots of other beds whose mattresses must lie on this one, because a face has no further copies.

    None if a face may have come from several beds.
    """
    came: list[int] = []
    for face, count in Counter(map(face_from_text, kinds)).items():
        there = {
            slot: other
            for other, slots in enumerate(state.beds)
            for slot in slots
            if other != bed and state.faces[slot] == face
        }
        beyond = count + len(there) - _copies(face)
        if beyond > 0 and len(set(there.values())) > 1:
            return None
        came += list(there)[: max(0, beyond)]
    return came
