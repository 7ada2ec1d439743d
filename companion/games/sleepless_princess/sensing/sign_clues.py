"""Clues in signs, in the numbers of the rules: read once for all positions that they may explain."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.card_kinds import KIND_OF_TEXT, face_from_text
from companion.games.sleepless_princess.sensing.appearance import LEFT, UNREAD_OPEN, bed_numbered

Kinds = tuple[str, ...]


class Clues(NamedTuple):
    """Beds count from 0; cards and faces are those of the rules."""

    pressed: tuple[int, ...]
    """Beds that were claimed, the first claim first."""
    came: tuple[tuple[int | None, Kinds], ...]
    """What appeared where, the earliest first: the bed, or None at the foot of one, and the kinds."""
    swept: frozenset[Kinds]
    """Heaps that left the play zone."""
    piled: frozenset[int]
    """Kinds that were new on the discard pile."""
    tapped: frozenset[int]
    """Faces of the mattresses that were tapped on the pad; a stray tag on another card says nothing."""
    felt: frozenset[int]
    """Faces that a mattress which was pressed on the pad felt like."""
    touched: frozenset[int]
    looked: frozenset[int]
    lifted: frozenset[int]
    put: frozenset[int]
    covered: frozenset[int]
    off: frozenset[int]
    """Beds that were touched, looked under, lost a mattress, gained one, lay beneath a hand (it rested on the
    scale, or stayed above it for long), or were lifted."""
    lately: frozenset[int]
    """Beds to which a mattress came lately, which may go on from there."""
    unread: bool
    """Whether an open card that nobody could read was swept away."""
    drawn: bool
    """Whether a hand was over the deck."""


@lru_cache(maxsize=256)
def clues(signs: tuple[Sign, ...], beds: int) -> Clues:
    """The clues in signs on a table with so many beds."""
    found: dict[str, dict[int, None]] = {}
    came: list[tuple[int | None, Kinds]] = []
    for verb, place, kinds in signs:
        bed = bed_numbered(place, beds)
        if bed is not None:
            found.setdefault(verb, {})[bed] = None
        if verb == Verb.CAME:
            came.append((bed, kinds))
            if place.startswith("foot "):
                found.setdefault("look", {})[int(place.removeprefix("foot ")) - 1] = None
    tapped = _first_kinds(signs, (Verb.TAG, "pad"))
    piled = _first_kinds(signs, (Verb.NEW, "discard"))
    return Clues(
        pressed=tuple(found.get(Verb.PRESS, ())),
        came=tuple(came),
        swept=frozenset(kinds for verb, place, kinds in signs if (verb, place) == LEFT),
        piled=frozenset(KIND_OF_TEXT[kind] for kind in piled if kind in KIND_OF_TEXT),
        tapped=frozenset(face_from_text(kind) for kind in tapped if kind[1:] in ("t", "s")),
        felt=frozenset(
            face_from_text(kind) for verb, _, kinds in signs if verb == Verb.TEXTURE for kind in kinds
        ),
        touched=frozenset(found.get(Verb.TOUCH, ())),
        looked=frozenset(found.get("look", ())),
        lifted=frozenset(found.get(Verb.LIFT, ())),
        put=frozenset(found.get(Verb.PUT, ())),
        covered=frozenset({**found.get(Verb.HAND, {}), **found.get(Verb.STAY, {})}),
        off=frozenset(found.get(Verb.OFF, ())),
        lately=frozenset(found.get(Verb.MOVED_ON, ())),
        unread=any(sign[:2] == UNREAD_OPEN[:2] for sign in signs),
        drawn=any(sign[:2] == (Verb.REACH, "deck") for sign in signs),
    )


def _first_kinds(signs: Iterable[Sign], sign: tuple[str, str]) -> list[str]:
    return [kinds[0] for verb, place, kinds in signs if (verb, place) == sign]
