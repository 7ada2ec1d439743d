"""Reads a zone (mat area), and reports what lies there.

A zone is read once it is clear and steady.
"""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from vision.art_codes import kind_by_art
from vision.camera.frames import Image
from vision.codes.code_reader import PLAIN, Corners, Reading
from vision.codes.sticker_set import Gray, Tags
from vision.codes.sticker_size import WITH_MARGIN, StickerReader
from vision.mat.bare_table_tracking import HomePlacement
from vision.mat.mat_tracking import Placement
from vision.mat.registration import Rect, Registration
from vision.mat_geometry import Mat
from vision.scene.art_follower import ArtFollower
from vision.scene.camera_reports import CardSeen, Foreign, Seen, ZoneSeen
from vision.scene.hand_segmentation import ARM_MM, Scene
from vision.scene.sighting_assignment import same_cards, same_place, same_spot
from vision.scene.small_picture import SmallPicture
from vision.scene.unread_cards import (
    CardSize,
    Look,
    Outline,
    at_first_look,
    centre,
    lies_in,
    look,
    same_look,
    strangers,
    touched,
)
from vision.scene.zone_state import AGAIN_S, ZoneState

_TRIES, _TRIES_ANEW = 3, 22
"""_TRIES: number of readings after which a missing card is gone. _TRIES_ANEW: the number after the whole
picture has changed, because a hand may rest there; hands that come and go meanwhile do not."""
_AGAIN_MOST_S = 30.0
"""Longest wait (s) between attempts to read something like a sticker. Waits double from AGAIN_S up to it."""
_FOREIGN_MOST = 100
"""_FOREIGN_MOST: most foreign codes that are remembered and reported, once each."""
_STICKER_MM = (11.0, 40.0)
"""Least and greatest side (mm) of real stickers: all that were ever printed, and a tenth more. Other sizes are
pictures on a screen or a poster."""
_TAKEN_S = 3.0
"""_TAKEN_S: time (s) after a hand was seen over a zone in which it may have taken cards from there."""
_UNTAKEN_S = 3.0
"""_UNTAKEN_S: time (s) after which a missing card is reported as gone although no hand was seen to take it."""
_HIDDEN_S = 20.0
"""_HIDDEN_S: time (s) after which a missing card is reported as gone although something like the mat may hide
it. Nobody keeps a hand still for longer."""
_LOOK_AGAIN_S = 0.3
"""Time (s) between two readings of a zone in which a card is missing and perhaps hidden."""


@dataclass(frozen=True, slots=True)
class FramePictures:
    """Pictures of one frame, taken at `t` (s).

    `image`: for recognising cards by their printed pictures. `gray`: for stickers. `small`: the reduced
    picture, in which changes are seen.
    """

    t: float
    image: Image
    gray: Gray
    small: SmallPicture


class ZoneReader:
    """Reader of zones of a mat in a known place.

    A new reader is made when the mat has to be found again. `place`: where the mat lies; its registration may
    become better meanwhile. `zones`: all zones, because cards of one reach into another. `strangers_in`: names
    of the zones in which strangers (cards without a readable sticker) are reported. `foreign`: texts of
    foreign codes seen so far; each is reported once.
    """

    def __init__(
        self,
        mat: Mat,
        place: Placement | HomePlacement,
        scene: Scene,
        zones: Sequence[ZoneState],
        *,
        tags: Tags,
        stickers: StickerReader,
        art: ArtFollower | None,
        strangers_in: Collection[str],
        card_size: CardSize,
        foreign: set[str],
    ) -> None:
        self.scene = scene
        self.pixels = 0
        """Number of pixels read so far, by which the work of a frame is limited."""
        self._mat = mat
        self._place = place
        self._zones = zones
        self._tags = tags
        self._stickers = stickers
        self._art = art
        self._watched = strangers_in
        self._card_size = card_size
        self._foreign = foreign
        self._cut = {zone.name for zone in mat.zones if not self.registration.shows_all_of(zone)}
        """Names of the zones that reach beyond the picture."""
        self._whole: dict[tuple[float, ...], bool] = {}
        """Place and half side (mm) -> whether all of it is in the picture."""

    @property
    def registration(self) -> Registration:
        """Mat's best known place: a mapping between px and mm."""
        found = self._place.registration
        assert found is not None
        return found

    def read(self, zone: ZoneState, now: FramePictures) -> list[Seen]:
        """Read a zone (area of the mat) in one frame; return the reports that this completes.

        Often there is none, because several frames are needed before a report. `now`: the pictures of the
        frame.
        """
        out: list[Seen] = []
        known = zone.sent or ()
        kept = tuple(c for c in known if self.beyond(zone.zone.name, c) or not (zone.anew or self._touched(c)))
        rect = self._region(zone, now.t)
        self.pixels += (rect[2] - rect[0]) * (rect[3] - rect[1])
        seen, unread = self._by_sticker(zone, rect, kept, now, out)
        if self._art is not None:
            seen, unread = self._by_art(zone, rect, kept, seen, unread, now)
        zone.tries += 1
        zone.tries_anew += zone.anew
        seen = _with_last_look(zone, seen)
        kept = tuple(card for card in kept if not any(same_place(card, other) for other in seen))
        self._decide(zone, kept, seen, unread, now, out)
        return out

    def _decide(
        self,
        zone: ZoneState,
        kept: tuple[CardSeen, ...],
        seen: list[CardSeen],
        unread: int,
        now: FramePictures,
        out: list[Seen],
    ) -> None:
        """Report a zone, or have it read again because cards are missing, unread or hidden.

        `kept`: cards that need not be read again. `seen`: cards of this look and the last.
        """
        known = zone.sent or ()
        missing = {c.code for c in known} - {c.code for c in kept} - set(zone.union)
        gone = [card for card in known if card.code in missing]
        wary = zone.anew and bool(missing) and zone.tries_anew < _TRIES_ANEW
        enough = zone.tries >= _TRIES and not wary
        if enough and self._waits(zone, gone, [*kept, *seen], now):
            zone.restart()
            zone.waits_until = now.t + _LOOK_AGAIN_S
        elif enough or not (missing or unread):
            if zone.doubtful:
                kept += tuple(CardSeen(c.code, c.x, c.y, c.angle, 0.5) for c in gone)
            self._conclude(zone, kept, seen, unread, now, out)

    def _waits(
        self, zone: ZoneState, missing: list[CardSeen], there: list[CardSeen], now: FramePictures
    ) -> bool:
        """True if the report of missing cards must wait.

        A hand that looks like the cloth may hide them. `missing`: the cards. `there`: cards that were read in
        the zone. `now`: the pictures. A camera that has seen no hand yet cannot conclude anything from seeing
        none.
        """
        others = self._elsewhere(zone)
        if zone.anew or {card.code for card in missing} <= {card.code for card in others}:
            zone.missed_at = math.inf
            return False
        zone.missed_at = min(zone.missed_at, now.t)
        lying = [(card.x, card.y) for card in (*others, *missing, *there)]
        at = [(card.x, card.y) for card in missing if not any(same_spot(card, one) for one in there)]
        near = self._passed_near(zone, at)
        if any(self.scene.hidden(now.small, one, lying, self._stickers.side_mm, now.t) for one in (at, near)):
            return now.t - zone.missed_at < _HIDDEN_S
        reached = max(one.reached_at for one in self._zones)
        if reached == -math.inf or now.t - zone.reached_at < _TAKEN_S:
            return False
        return now.t - zone.missed_at < _UNTAKEN_S

    def _elsewhere(self, zone: ZoneState) -> list[CardSeen]:
        """Cards last reported in all other zones."""
        return [card for other in self._zones if other is not zone for card in other.sent or ()]

    def _passed_near(self, zone: ZoneState, places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Places (mm) of cards in other zones at rest that an arm may hide which reaches to `places` (mm)."""
        at_rest = [other for other in self._zones if other is not zone and other.at_rest]
        passed = [(card.x, card.y) for other in at_rest for card in other.sent or () if self._touched(card)]
        return [one for one in passed if any(math.dist(one, place) < ARM_MM for place in places)]

    def _by_sticker(
        self, zone: ZoneState, rect: Rect, kept: Sequence[CardSeen], now: FramePictures, out: list[Seen]
    ) -> tuple[list[CardSeen], int]:
        """Read a zone's cards from their stickers or markers.

        Returns the cards, and the number of places that look like a sticker and were not read. `rect`: the
        part to read (px). `kept`: cards that need not be read again. Reports are added to `out`.
        """
        if not (self._tags.payloads or self._tags.markers):
            return [], 0
        there = self.registration.to_px([(card.x, card.y) for card in kept])
        widely = zone.anew and zone.tries == 0
        gray = zone.steadied(rect, now.gray)
        reading = self._stickers.read(gray, rect, self.registration, there.tolist(), widely=widely)
        if zone.tries == 0 and not (widely or reading.codes) and self.scene.holds_thing(zone.index, now.small):
            reading = self._stickers.read(gray, rect, self.registration, there.tolist(), widely=True)
        believed = self._believed(zone, reading)
        unread = sum(self._inside(zone, at) for at in reading.unread) - len(believed)
        cards, uncertain = self._cards(zone, reading, now.t, out)
        return cards + believed, unread + uncertain

    def _by_art(
        self,
        zone: ZoneState,
        rect: Rect,
        kept: Sequence[CardSeen],
        seen: list[CardSeen],
        unread: int,
        now: FramePictures,
    ) -> tuple[list[CardSeen], int]:
        """Recognise further cards of a zone by their printed pictures.

        Returns them together with those `seen` by stickers, and the number of unread cards. `rect`: the part
        to read (px). `kept`: cards that need not be read again. `unread`: number of unread stickers. `now`:
        the pictures.
        """
        assert self._art is not None
        # Cards that an earlier look has named are skipped: each look has time for some places only.
        named = [card for cards in zone.union.values() for card in cards if kind_by_art(card.code) is not None]
        # Cards of other zones, into which the rectangle reaches, are skipped as well.
        around = [one for one in self._elsewhere(zone) if not self._touched(one)]
        known = [*kept, *seen, *named, *around]
        found, look = self._art.read(
            now.image,
            rect,
            self.registration,
            known,
            zone.sent or (),
            zone.zone.name,
            now.t,
            piled=zone.zone.stack is not None,
        )
        mine = [card for card in found if self._mat.zone_at(card.x, card.y) == zone.zone]
        unknown = sum(self._mat.zone_at(x, y) == zone.zone for x, y in look.unknown)
        return seen + named + mine, (unread if seen else unknown) + look.left

    def _conclude(
        self,
        zone: ZoneState,
        kept: tuple[CardSeen, ...],
        seen: list[CardSeen],
        unread: int,
        now: FramePictures,
        out: list[Seen],
    ) -> None:
        before, zone.strangers = zone.strangers, self._strangers(zone, (*kept, *seen), now)
        zone.looks = tuple(self._look(now.gray, box) for box in zone.strangers)
        alone = not (unread or zone.doubtful or zone.strangers)
        self.scene.absorb(zone.index, now.small, [(card.x, card.y) for card in (*kept, *seen)], alone=alone)
        if unread or zone.strangers:
            zone.again_at = now.t + zone.again_after
            zone.again_after = min(2 * zone.again_after, _AGAIN_MOST_S)
        else:
            zone.again_at, zone.again_after = math.inf, AGAIN_S
        zone.anew = zone.doubtful = False
        zone.tries_anew = 0
        zone.missed_at = math.inf
        zone.restart()
        cards = tuple(sorted((*kept, *seen), key=lambda card: (card.x, card.y, card.code)))
        if zone.sent is None or not same_cards(zone.sent, cards) or len(before) != len(zone.strangers):
            zone.sent = cards
            out.append(ZoneSeen(now.t, zone.zone.name, cards, unread, tuple(map(centre, zone.strangers))))

    def _strangers(
        self, zone: ZoneState, cards: tuple[CardSeen, ...], now: FramePictures
    ) -> tuple[Outline, ...]:
        """Find strangers in a zone: outlines (mm) of things as large as a card without a readable sticker.

        `cards`: cards that are read in the zone now. Empty if strangers are not wanted there.
        """
        if zone.zone.name not in self._watched:
            return ()
        if zone.anew:
            return self._strangers_at_first(zone, cards, now)
        changes = [self.registration.to_mm(px).astype(np.float32) for px in self.scene.changes(zone.index)]
        changes = self._without_unchanged(zone, changes, now)
        known = {card.code for card in zone.sent or ()}
        # A stranger that is read at last was there before: only the reflection on it has changed.
        new = [card for card in cards if card.code not in known and not lies_in(zone.strangers, card)]
        for change in changes:
            self._card_size.learn(change, new)
        return strangers(zone.strangers, changes, (*(zone.sent or ()), *cards), self._card_size)

    def _without_unchanged(self, zone: ZoneState, changes: list[Outline], now: FramePictures) -> list[Outline]:
        """Changed parts of a zone without those of strangers that look as they did, unlike the cloth.

        Another light changes all of a zone, but they still lie there.
        """
        doubted = [n for n, box in enumerate(zone.strangers) if touched(box, changes)]
        things = self._things(zone, now.small) if doubted else []
        for n in doubted:
            box = zone.strangers[n]
            if touched(box, things) and same_look(zone.looks[n], self._look(now.gray, box)):
                changes = [change for change in changes if not touched(box, [change])]
        return changes

    def _strangers_at_first(
        self, zone: ZoneState, cards: tuple[CardSeen, ...], now: FramePictures
    ) -> tuple[Outline, ...]:
        """Strangers in a zone of which nothing says what has changed.

        A stranger is there if it looks as it did, or unlike the cloth.
        """
        left = zone.strangers
        if zone.looks:
            known_looks = zip(zone.strangers, zone.looks, strict=True)
            left = tuple(box for box, before in known_looks if same_look(before, self._look(now.gray, box)))
        things = [] if zone.doubtful else self._things(zone, now.small)
        return at_first_look(left, things, cards, self._card_size)

    def _things(self, zone: ZoneState, small: SmallPicture) -> list[Outline]:
        """Find things in a zone that differ from the cloth around: their outlines (mm)."""
        lying = self.scene.lying(zone.index, small)
        return [self.registration.to_mm(px).astype(np.float32) for px in lying]

    def _look(self, gray: Gray, box: Outline) -> Look:
        return look(gray, self.registration.to_px(box))

    def _region(self, zone: ZoneState, t: float) -> Rect:
        """Choose the picture's part (px) to read for a zone.

        It is the whole zone, or the surroundings of its changes. `t`: time (s).
        """
        margin = 0.6 * self._stickers.side_mm
        whole = far = self.registration.zone_rect(zone.zone, margin)
        if self._art is not None:
            # A sticker lies in the zone with the card's middle, its picture reaches beyond.
            far = self.registration.zone_rect(zone.zone, max(margin, self._art.reach_mm))
        changed = self.scene.changed_rect(zone.index)
        if zone.anew or changed is None or t >= zone.again_at:
            return far
        reach = round(1.2 * self._stickers.side_mm * self.registration.px_per_mm(*zone.zone.centre))
        near = changed[0] - reach, changed[1] - reach, changed[2] + reach, changed[3] + reach
        return (
            near[0] if near[0] > whole[0] else far[0],
            near[1] if near[1] > whole[1] else far[1],
            near[2] if near[2] < whole[2] else far[2],
            near[3] if near[3] < whole[3] else far[3],
        )

    def beyond(self, zone: str, card: CardSeen) -> bool:
        """True if a card's sticker lies outside of the picture, so nothing is known of the card.

        `zone`: its zone's name.
        """
        if zone not in self._cut:
            return False
        at = card.x, card.y, 0.5 * self._stickers.side_mm
        if at not in self._whole:
            self._whole[at] = self.registration.shows(*at)
        return not self._whole[at]

    def _touched(self, card: CardSeen) -> bool:
        """True if the picture has changed at a card's sticker.

        More than 6 % of the sticker's place must have changed.
        """
        x, y = self.registration.to_px([(card.x, card.y)])[0]
        side = self._stickers.side_mm * self.registration.px_per_mm(card.x, card.y)
        return self.scene.changed_share(float(x), float(y), side) > 0.06

    def _inside(self, zone: ZoneState, px: tuple[float, float]) -> bool:
        x, y = self.registration.to_mm([px])[0]
        return self._mat.zone_at(float(x), float(y)) == zone.zone

    def _cards(
        self, zone: ZoneState, reading: Reading, t: float, out: list[Seen]
    ) -> tuple[list[CardSeen], int]:
        """Take a reading's known cards that belong to the zone.

        The centre of such a card lies in the zone. Returns the cards, and how many need another reading.
        Foreign codes are added to `out`. `t`: time (s).
        """
        found: list[tuple[str, Corners, float, float]] = []
        for code in reading.codes:
            name = self._tags.payloads.get(code.payload) if code.payload else None
            told, side = code.text, self.registration.edge_mm(code.corners) * WITH_MARGIN
            if name is not None and not _STICKER_MM[0] <= side <= _STICKER_MM[1]:
                name, told = None, f"{told}, a picture {side:.0f} mm wide"
            if name is None:
                out += self._tell_foreign(code.text, told, t)
                continue
            found.append((name, code.corners, 1.0 if code.stage == PLAIN else 0.9, code.evidence))
        found += [
            (self._tags.markers[marker.id], marker.corners, 1.0, math.inf)
            for marker in reading.markers
            if marker.id in self._tags.markers
        ]
        seen = [(self._card(name, corners, quality), evidence) for name, corners, quality, evidence in found]
        mine = [one for one in seen if self._mat.zone_at(one[0].x, one[0].y) == zone.zone]
        cards = [card for card, evidence in mine if self._agreed(zone, card, evidence)]
        return cards, len(mine) - len(cards)

    def _tell_foreign(self, code: str, told: str, t: float) -> list[Foreign]:
        """Report a foreign code once. `told`: the code, and what else to say of it.

        The size of a picture on a telephone changes with every movement, so only the code counts.
        """
        if code in self._foreign or len(self._foreign) >= _FOREIGN_MOST:
            return []
        self._foreign.add(code)
        return [Foreign(t, told)]

    def _agreed(self, zone: ZoneState, card: CardSeen, evidence: float) -> bool:
        """True if a reading suffices to report a zone's card.

        A card that was reported at this place already needs no more. `evidence`: of the reading, see `Match`.
        """
        told = any(same_place(card, other) for other in zone.sent or ())
        return told or zone.votes.add(card, evidence)

    def _believed(self, zone: ZoneState, reading: Reading) -> list[CardSeen]:
        """Cards of a zone that all doubtful readings together identify, although none alone does."""
        cards = []
        for match in reading.doubtful:
            if match.payload is not None:
                card = self._card(self._tags.payloads[match.payload], match.corners, 0.7)
                if zone.votes.add(card, match.evidence) and self._mat.zone_at(card.x, card.y) == zone.zone:
                    cards.append(card)
        return cards

    def _card(self, name: str, corners: Corners, quality: float) -> CardSeen:
        """Sighting of a card from its tag's corners (px).

        `name`: of the card. `quality`: 0 to 1, see `CardSeen`.
        """
        (x, y), angle = self.registration.to_mm(corners).mean(axis=0), self.registration.angle(corners)
        return CardSeen(name, round(float(x), 1), round(float(y), 1), round(angle, 1), quality)


def _with_last_look(zone: ZoneState, seen: list[CardSeen]) -> list[CardSeen]:
    """Cards `seen` now, and those that only the last look has seen, which count less.

    The zone's `union` then holds all of them, by code.
    """
    codes = {card.code for card in seen}
    for code, cards in zone.union.items():
        if code not in codes:
            seen += [CardSeen(c.code, c.x, c.y, c.angle, min(c.quality, 0.7)) for c in cards]
    zone.union = {}
    for card in seen:
        zone.union.setdefault(card.code, []).append(card)
    return seen
