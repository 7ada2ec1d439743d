"""Tracks every physical card over all frames.

A track tells where the card is and when it was seen, or that it is gone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from vision.scene.camera_reports import CardSeen
from vision.scene.sighting_assignment import same_place


class Presence(Enum):
    """State of a seen card: in sight, covered or gone."""

    IN_SIGHT = "in sight"
    COVERED = "covered"
    """Hidden by a hand or the picture's edge, or while the mat is searched. The card may still lie there."""
    GONE = "gone"
    """The card's place was seen without the card."""


@dataclass(frozen=True, slots=True)
class Track:
    """One physical card, followed under a number of its own.

    Another card may carry an equal sticker. `card`: its last reading, in `zone`. `first_seen`, `last_seen`:
    times of frames (s).
    """

    number: int
    zone: str
    card: CardSeen
    first_seen: float
    last_seen: float
    presence: Presence


class Tracks:
    """Tracks of all physical cards over all readings."""

    def __init__(self) -> None:
        self._tracks: dict[int, Track] = {}
        self._seen_at: dict[int, float] = {}
        """Number of a card -> time (s) of the last frame that showed it."""
        self._next = 1
        self._twins: set[str] = set()

    def settle(self, t: float, zone: str, cards: Iterable[CardSeen]) -> None:
        """Note that exactly these cards lie in `zone` now.

        `t`: time (s). Cards that were there before are gone, or have moved.
        """
        before = {n for n, track in self._tracks.items() if track.zone == zone and _present(track)}
        for card in cards:
            number = self._whose(card, zone, before)
            before.discard(number)
            first = self._tracks[number].first_seen if number in self._tracks else t
            self._tracks[number] = Track(number, zone, card, first, t, Presence.IN_SIGHT)
        for number in before:
            self._lose(number)

    def twin(self, codes: Iterable[str]) -> None:
        """From now on, count these codes as several cards each.

        They were seen at several places at once.
        """
        self._twins.update(codes)

    def look(
        self, t: float, clear: Mapping[str, bool], beyond: Callable[[str, CardSeen], bool] = lambda *_: False
    ) -> None:
        """Note which cards a frame shows, and which are covered.

        `t`: its time (s). `clear`: zone -> True if nothing hides it. `beyond(zone, card)`: True if the card
        lies outside of the picture.
        """
        for number, track in self._tracks.items():
            if track.presence is Presence.GONE:
                continue
            if clear.get(track.zone, False) and not beyond(track.zone, track.card):
                self._seen_at[number] = t
                if track.presence is not Presence.IN_SIGHT:
                    self._tracks[number] = replace(track, presence=Presence.IN_SIGHT)
            elif track.presence is Presence.IN_SIGHT:
                self._tracks[number] = replace(track, presence=Presence.COVERED)

    def all(self) -> tuple[Track, ...]:
        """Every card ever seen, in the order of their numbers."""
        return tuple(self._timed(self._tracks[number]) for number in sorted(self._tracks))

    def _timed(self, track: Track) -> Track:
        return replace(track, last_seen=max(track.last_seen, self._seen_at.get(track.number, track.last_seen)))

    def _whose(self, card: CardSeen, zone: str, before: set[int]) -> int:
        """Number of the track to which a sighting belongs.

        The card lay here before, or is one that was gone, or is new. `before`: numbers of the zone's cards
        before.
        """
        same = [track for track in self._tracks.values() if track.card.code == card.code]
        here = [track for track in same if track.number in before]
        for track in here:
            if same_place(track.card, card):
                return track.number
        gone = [track for track in same if track.presence is Presence.GONE]
        known = here or sorted(gone, key=lambda track: -self._timed(track).last_seen)
        if known:
            return known[0].number
        self._next += 1
        return self._next - 1

    def _lose(self, number: int) -> None:
        """Note that the card `number` is not where it was.

        If it was already read elsewhere it has only moved, and keeps its number.
        """
        lost = self._tracks[number]
        elsewhere = [
            track
            for track in self._tracks.values()
            if track.card.code == lost.card.code and track.number > number and _present(track)
        ]
        if elsewhere and lost.card.code not in self._twins:
            moved = self._tracks.pop(elsewhere[0].number)
            self._tracks[number] = replace(moved, number=number, first_seen=lost.first_seen)
        else:
            self._tracks[number] = replace(lost, presence=Presence.GONE)


def _present(track: Track) -> bool:
    return track.presence is not Presence.GONE
