"""The camera pipeline: frames in, settled zones out. Reads a zone when it is clear, steady and changed."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from companion.core.art_codes import kind_by_art
from companion.core.mat_geometry import Mat, MatMarker
from companion.vision.art.live_art import LiveArt
from companion.vision.camera.frames import Frame, Image
from companion.vision.codes.code_reader import PLAIN, Corners, Reading
from companion.vision.codes.sticker_set import Gray, Tags
from companion.vision.codes.sticker_size import WITH_MARGIN, StickerReader
from companion.vision.mat.home import Home
from companion.vision.mat.home_tracking import HomePlacement
from companion.vision.mat.lens_model import Lens
from companion.vision.mat.mat_finder import Rect, Registration
from companion.vision.mat.mat_tracking import SEARCH_FRAMES, Placement
from companion.vision.scene.art_follower import ArtFollower
from companion.vision.scene.camera_reports import (
    CardSeen,
    Duplicate,
    Foreign,
    HandCame,
    HandLeft,
    LampFlickers,
    PictureQuality,
    Seen,
    ZoneSeen,
)
from companion.vision.scene.card_tracks import Track, Tracks
from companion.vision.scene.hand_segmentation import ARM_MM, Glance, Scene, moving_between
from companion.vision.scene.lamp_flicker import LampFlicker
from companion.vision.scene.sighting_assignment import same_cards, same_place, same_spot, twins
from companion.vision.scene.small_picture import SmallPicture, small_picture, white
from companion.vision.scene.unread_cards import (
    CardSize,
    Look,
    Outline,
    at_first_look,
    centre,
    lies_in,
    look,
    lying_at,
    same_look,
    strangers,
    touched,
)
from companion.vision.scene.zone_state import AGAIN_S, SETTLE, ZoneState

_TRIES, _TRIES_ANEW = 3, 22
"""Readings before a card counts as gone. _TRIES_ANEW: after the whole picture has changed, because a hand
may rest there."""
_PX_A_FRAME = 450_000
"""_PX_A_FRAME: pixels read for stickers in one frame. The rest waits for the next one, so that no frame is
late."""
_AGAIN_MOST_S = 30.0
"""_AGAIN_MOST_S: longest time (s) between attempts to read something like a sticker; each is twice the one
before."""
_FOREIGN_MOST = 100
"""_FOREIGN_MOST: texts of foreign codes that are remembered, so that each is reported once."""
_STICKER_MM = (11.0, 40.0)
"""Range of the sides of stickers: all that were ever printed, and a tenth more. Others are on a screen or a
poster."""
_TAKEN_S = 3.0
"""_TAKEN_S: time (s) within which a hand that was seen over a zone may have taken cards from it."""
_UNTAKEN_S = 3.0
"""_UNTAKEN_S: time (s) for which a card that nobody was seen to take is not reported as gone."""
_HIDDEN_S = 20.0
"""_HIDDEN_S: the same for a card that something like the mat may hide: nobody keeps a hand still for longer."""
_LOOK_AGAIN_S = 0.3
"""_LOOK_AGAIN_S: time (s) between two looks for such a card."""
_FLICKER_S = 3.0
"""_FLICKER_S: time (s) that bands in the picture last, or are gone, before it is said."""
_STILL_PX = 40
"""_STILL_PX: fewest pixels of the small picture that differ from the frame before if something moves."""
_QUALITY_S = 5.0
"""_QUALITY_S: time (s) between two measurements of focus and exposure, 8 ms each."""


class Vision:
    """Watches one mat: takes frames in order and reports what has come to rest.

    `tags`: the table of accepted tags. `sticker_mm`: the white square of a sticker (None: that of the first one
    read); marker squares on tiles are about as large. `lens`: the camera's if it was measured (None: estimated
    from the mat's corners). `strangers_in`: names of the zones in which strangers are reported. `mat_names`:
    the corner markers of every game's mat, asked for when this one is not found. `art`: knows cards by their
    pictures; stickers are then read as well, if `tags` has any. `lying`: zone -> places (mm) of strangers that
    lay there when an earlier run ended; no first picture tells them from the cloth. `home`: where the zones lie
    on a table without a mat. The only time here is the frames' own `t`.
    """

    def __init__(
        self,
        mat: Mat,
        tags: Tags,
        *,
        sticker_mm: float | None = None,
        lens: Lens | None = None,
        strangers_in: Collection[str] = (),
        mat_names: Callable[[], Mapping[int, str]] = dict,
        art: LiveArt | None = None,
        lying: Mapping[str, Sequence[tuple[float, float]]] = MappingProxyType({}),
        home: Home | None = None,
    ) -> None:
        self.mat = mat
        self.tags = tags
        self.foreign: set[str] = set()
        """Sanitised texts of the foreign codes seen."""
        self._place = Placement(mat, lens, mat_names) if home is None else HomePlacement(mat, home, lens)
        self._stickers = StickerReader(tags.payloads, sticker_mm)
        self._art = None if art is None else ArtFollower(art)
        self._zones = [
            ZoneState(zone, index, strangers=tuple(map(lying_at, lying.get(zone.name, ()))))
            for index, zone in enumerate(mat.zones)
        ]
        self._scene: Scene | None = None
        self._before: SmallPicture | None = None
        self._shape, self._still_frames = (0, 0), 0
        self._cut: set[str] = set()  # zones that reach beyond the picture
        self._whole: dict[tuple[float, ...], bool] = {}  # place and half side: all in the picture
        self._twins: set[tuple[str, tuple[str, ...]]] = set()
        self._tracks = Tracks()
        self._watched = frozenset(strangers_in)
        self._card_size = CardSize()
        self.quality: PictureQuality | None = None
        """Focus and exposure as last measured: when the mat was found, and every few seconds."""
        self._quality_at = -math.inf
        self._flicker, self._flickered, self._flicker_since = LampFlicker(), False, math.inf

    @property
    def registration(self) -> Registration | None:
        """The last registration of the mat; None before the first."""
        return self._place.registration

    @property
    def landmarks(self) -> tuple[MatMarker, ...]:
        """The squares (mm) that tell whether the camera was moved: corner markers, or spots of a bare table."""
        return self._place.markers

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Every card seen so far, as of the last frame."""
        return self._tracks.all()

    @property
    def settled(self) -> bool:
        """True while the mat is registered and no hand covers any zone."""
        return self._place.well and not any(zone.covered for zone in self._zones)

    @property
    def still(self) -> bool:
        """True while nothing moves, differs from what is known, or is missing: pictures need no colours."""
        return (
            self._place.well
            and self._still_frames >= SEARCH_FRAMES
            and not any(z.covered or z.tries or z.anew or z.missed_at < math.inf for z in self._zones)
        )

    def feed(self, frame: Frame) -> list[Seen]:
        """Take a frame. Returns what it settles, oldest first; mostly nothing."""
        out = self._watch(frame)
        for one in out:
            if isinstance(one, ZoneSeen):
                self._tracks.settle(one.t, one.zone, one.cards)
            elif isinstance(one, Duplicate):
                self._tracks.twin([one.code])
        sure = self._place.well and self._place.sure
        known = {z.zone.name: sure and z.at_rest and not z.tries and not z.anew for z in self._zones}
        self._tracks.look(frame.t, known, self._beyond)
        return out

    def _watch(self, frame: Frame) -> list[Seen]:
        size, small = frame.size, small_picture(frame)
        out: list[Seen] = []
        gain = 1.0
        if self._before is not None and size == self._shape:
            known = (self._before if self._scene is None else self._scene.settled).gray
            small = replace(small, gray=self._flicker.level(small.gray, known))
            gain = 1.0 if self._scene is None else self._flicker.gain
            out += self._tell_flicker(frame.t)
        small = small.levelled(gain)
        if self._before is None or size != self._shape:
            self._place.lose()
            self._scene, self._still_frames, self._shape = None, 0, size
        elif self._scene is None:
            self._still_frames = (
                self._still_frames + 1 if moving_between(self._before, small) < _STILL_PX else 0
            )
        self._before = small
        if self._scene is not None:
            glance = self._scene.step(small, frame.t, white(gain))
            self._still_frames = self._still_frames + 1 if glance.moving < _STILL_PX else 0
            if glance.upheaval:
                self._unsettle()
        if not self._place.well:
            out += self._place.find(frame, float(small.gray.mean()), frame.t, self._still_frames)
            if self._place.well:
                self._start(small, frame.t)
                self._measure(frame)
            return out
        assert self._scene is not None
        hands = self._note(glance, frame.t)
        waiting = sorted(
            (z for z in self._zones if z.at_rest and self._wants_reading(z, glance, frame.t)),
            key=lambda z: -z.tries,
        )
        left = any(isinstance(hand, HandLeft) for hand in hands)
        anew = left or any(z.tries == 0 for z in waiting)
        doubtful = not anew and self._doubtful(frame, small)
        if anew or doubtful:
            shifted = doubtful or any(self._scene.shifted(small, marker) for marker in self._place.markers)
            out += self._place.check(frame, frame.t, self._still_frames, shifted=shifted)
            if not self._place.well or (self._place.better and self.settled):
                self._unsettle()
                return out
        out += hands
        if self._still_frames >= SEARCH_FRAMES and frame.t >= self._quality_at:
            self._measure(frame)
        if waiting and self._place.sure:
            self._read(waiting, frame, small, frame.t, out)
        return out

    def _doubtful(self, frame: Frame, small: SmallPicture) -> bool:
        """Whether the corner markers have to be checked. They take turns."""
        assert self._scene is not None
        marker = self._place.turn(frame.t)
        if marker is None:
            return False
        return self._place.doubtful(frame, frame.t, shifted=self._scene.shifted(small, marker))

    def _tell_flicker(self, t: float) -> list[LampFlickers]:
        """Whether the lamp flickers, when that has changed and lasted."""
        flickers = self._flicker.strength > 0
        if flickers == self._flickered:
            self._flicker_since = math.inf
            return []
        self._flicker_since = min(self._flicker_since, t)
        if t - self._flicker_since < _FLICKER_S:
            return []
        self._flickered = flickers
        return [LampFlickers(t, self._flicker.strength)]

    def _measure(self, frame: Frame) -> None:
        """Focus and exposure as the markers show them."""
        assert self.registration is not None
        self._quality_at = frame.t + _QUALITY_S
        seen = self._place.quality(frame)
        if seen is not None:
            self.quality = PictureQuality(frame.t, seen.edge_px, seen.black, seen.white)

    def _unsettle(self) -> None:
        """The light or the camera has changed: nothing is reported until the mat is found again."""
        self._place.lose()
        for zone in self._zones:
            zone.restart()

    def _start(self, small: SmallPicture, t: float) -> None:
        """The mat was found: everything on it is new."""
        assert self.registration is not None
        self._scene = Scene(self.mat, self.registration, small, t)
        for zone in self._zones:
            zone.restart()
            zone.anew, zone.quiet, zone.covered = True, SETTLE, False
            zone.in_picture = self.registration.shows_some_of(zone.zone)
        self._cut = {zone.name for zone in self.mat.zones if not self.registration.shows_all_of(zone)}
        self._whole = {}

    # ------------------------------------------------------------------ hands and rest

    def _note(self, glance: Glance, t: float) -> list[HandCame | HandLeft]:
        """Follow rest and hands in every zone. Returns the hands that came or left."""
        hands: list[HandCame | HandLeft] = []
        for zone in self._zones:
            k = zone.index
            zone.quiet = 0 if glance.stirs[k] else zone.quiet + 1
            zone.anew |= bool(glance.furniture[k] or glance.bared[k])
            zone.doubtful |= bool(glance.furniture[k])
            if glance.covered[k]:
                if not zone.covered:
                    hands.append(HandCame(t, zone.zone.name))
                zone.covered = True
                zone.reached_at = t
                zone.quiet = 0
            if zone.quiet == 0:
                zone.restart()
            if zone.covered and zone.quiet >= SETTLE:
                zone.covered = False
                hands.append(HandLeft(t, zone.zone.name))
        return hands

    def _wants_reading(self, zone: ZoneState, glance: Glance, t: float) -> bool:
        changed = bool(glance.changed[zone.index])
        wanted = zone.anew or zone.tries > 0 or changed or t >= zone.again_at
        return zone.in_picture and wanted and t >= zone.waits_until

    # ------------------------------------------------------------------ reading

    def _read(
        self, waiting: list[ZoneState], frame: Frame, small: SmallPicture, t: float, out: list[Seen]
    ) -> None:
        spent = 0
        image, gray = frame.image if self._art is not None else frame.gray, frame.gray
        for zone in waiting:
            if spent >= _PX_A_FRAME:
                return
            spent += self._try(zone, image, gray, small, t, out)
        # Only when nothing is left to read: a card that is moved is not in two places.
        if waiting and not any(zone.tries or zone.anew for zone in waiting):
            self._report_twins(t, out)

    def _waits(
        self, zone: ZoneState, missing: list[CardSeen], there: list[CardSeen], small: SmallPicture, t: float
    ) -> bool:
        """Whether cards of a zone are missing, but may be hidden by a hand like the cloth.

        `there`: the cards that were read in it. That nobody was seen to take the missing ones means nothing to
        a camera that has seen no hand yet.
        """
        assert self._scene is not None
        others = [card for other in self._zones if other is not zone for card in other.sent or ()]
        if zone.anew or {card.code for card in missing} <= {card.code for card in others}:
            zone.missed_at = math.inf
            return False
        zone.missed_at = min(zone.missed_at, t)
        lying = [(card.x, card.y) for card in (*others, *missing, *there)]
        at = [(card.x, card.y) for card in missing if not any(same_spot(card, one) for one in there)]
        # An arm that reaches here hides cards of other zones, too.
        at_rest = [other for other in self._zones if other is not zone and other.at_rest]
        passed = [(card.x, card.y) for other in at_rest for card in other.sent or () if self._touched(card)]
        near = [one for one in passed if any(math.dist(one, place) < ARM_MM for place in at)]
        if any(self._scene.hidden(small, one, lying, self._stickers.side_mm, t) for one in (at, near)):
            return t - zone.missed_at < _HIDDEN_S
        reached = max(one.reached_at for one in self._zones)
        if reached == -math.inf or t - zone.reached_at < _TAKEN_S:
            return False
        return t - zone.missed_at < _UNTAKEN_S

    def _try(
        self, zone: ZoneState, image: Image, gray: Gray, small: SmallPicture, t: float, out: list[Seen]
    ) -> int:
        """One reading of one zone, and its report if there is one. Returns the number of pixels read."""
        assert self.registration is not None
        assert self._scene is not None
        known = zone.sent or ()
        kept = tuple(c for c in known if self._beyond(zone.zone.name, c) or not (zone.anew or self._touched(c)))
        rect = self._region(zone, t)
        seen, unread = self._by_sticker(zone, rect, kept, gray, small, t, out)
        if self._art is not None:
            seen, unread = self._by_art(zone, rect, kept, image, seen, unread, t)
        codes = {card.code for card in seen}
        zone.tries += 1
        for code, cards in zone.union.items():
            if code not in codes:
                seen += [CardSeen(c.code, c.x, c.y, c.angle, min(c.quality, 0.7)) for c in cards]
        zone.union = {}
        for card in seen:
            zone.union.setdefault(card.code, []).append(card)
        kept = tuple(card for card in kept if not any(same_place(card, other) for other in seen))
        missing = {c.code for c in known} - {c.code for c in kept} - set(zone.union)
        tries = _TRIES_ANEW if zone.anew and missing else _TRIES
        gone = [card for card in known if card.code in missing]
        if zone.tries >= tries and self._waits(zone, gone, [*kept, *seen], small, t):
            zone.restart()
            zone.waits_until = t + _LOOK_AGAIN_S
        elif zone.tries >= tries or not (missing or unread):
            if zone.doubtful:
                kept += tuple(CardSeen(c.code, c.x, c.y, c.angle, 0.5) for c in known if c.code in missing)
            self._conclude(zone, kept, seen, unread, gray, small, t, out)
        return (rect[2] - rect[0]) * (rect[3] - rect[1])

    def _by_sticker(
        self,
        zone: ZoneState,
        rect: Rect,
        kept: Sequence[CardSeen],
        gray: Gray,
        small: SmallPicture,
        t: float,
        out: list[Seen],
    ) -> tuple[list[CardSeen], int]:
        """Cards whose stickers or markers are read in a rectangle, and the number of unread ones."""
        assert self.registration is not None
        assert self._scene is not None
        if not (self.tags.payloads or self.tags.markers):
            return [], 0
        there = self.registration.to_px([(card.x, card.y) for card in kept])
        widely = zone.anew and zone.tries == 0
        reading = self._stickers.read(gray, rect, self.registration, there.tolist(), widely=widely)
        if zone.tries == 0 and not (widely or reading.codes) and self._scene.holds_thing(zone.index, small):
            reading = self._stickers.read(gray, rect, self.registration, there.tolist(), widely=True)
        believed = self._believed(zone, reading)
        unread = sum(self._inside(zone, at) for at in reading.unread) - len(believed)
        return self._cards(zone, reading, t, out) + believed, unread

    def _by_art(
        self,
        zone: ZoneState,
        rect: Rect,
        kept: Sequence[CardSeen],
        image: Image,
        seen: list[CardSeen],
        unread: int,
        t: float,
    ) -> tuple[list[CardSeen], int]:
        """The cards `seen` by their stickers and those known by their art, and the number of unread ones."""
        assert self.registration is not None
        assert self._art is not None
        # What an earlier look has named is not looked at again: each look has time for some places only.
        named = [card for cards in zone.union.values() for card in cards if kind_by_art(card.code) is not None]
        # Neither is what lies in other zones, into which the rectangle reaches.
        around = [one for other in self._zones if other is not zone for one in other.sent or ()]
        known = [*kept, *seen, *named, *(one for one in around if not self._touched(one))]
        found, look = self._art.read(
            image,
            rect,
            self.registration,
            known,
            zone.sent or (),
            zone.zone.name,
            t,
            piled=zone.zone.stack is not None,
        )
        mine = [card for card in found if self.mat.zone_at(card.x, card.y) == zone.zone]
        unknown = sum(self.mat.zone_at(x, y) == zone.zone for x, y in look.unknown)
        return seen + named + mine, (unread if seen else unknown) + look.left

    def _conclude(
        self,
        zone: ZoneState,
        kept: tuple[CardSeen, ...],
        seen: list[CardSeen],
        unread: int,
        gray: Gray,
        small: SmallPicture,
        t: float,
        out: list[Seen],
    ) -> None:
        before, zone.strangers = zone.strangers, self._strangers(zone, (*kept, *seen), gray, small)
        zone.looks = tuple(self._look(gray, box) for box in zone.strangers)
        assert self._scene is not None
        alone = not (unread or zone.doubtful or zone.strangers)
        self._scene.absorb(zone.index, small, [(card.x, card.y) for card in (*kept, *seen)], alone=alone)
        if unread or zone.strangers:
            zone.again_at = t + zone.again_after
            zone.again_after = min(2 * zone.again_after, _AGAIN_MOST_S)
        else:
            zone.again_at, zone.again_after = math.inf, AGAIN_S
        zone.anew = zone.doubtful = False
        zone.missed_at = math.inf
        zone.restart()
        cards = tuple(sorted((*kept, *seen), key=lambda card: (card.x, card.y, card.code)))
        if zone.sent is None or not same_cards(zone.sent, cards) or len(before) != len(zone.strangers):
            zone.sent = cards
            out.append(ZoneSeen(t, zone.zone.name, cards, unread, tuple(map(centre, zone.strangers))))

    def _strangers(
        self, zone: ZoneState, cards: tuple[CardSeen, ...], gray: Gray, small: SmallPicture
    ) -> tuple[Outline, ...]:
        """The strangers in a zone in which these cards are read now."""
        assert self.registration is not None
        assert self._scene is not None
        if zone.zone.name not in self._watched:
            return ()
        if zone.anew:
            # Nothing says what has changed: a stranger is there if it looks as it did, or unlike the cloth.
            left = zone.strangers
            if zone.looks:
                known_looks = zip(zone.strangers, zone.looks, strict=True)
                left = tuple(box for box, before in known_looks if same_look(before, self._look(gray, box)))
            things = [] if zone.doubtful else self._things(zone, small)
            return at_first_look(left, things, cards, self._card_size)
        changes = [self.registration.to_mm(px).astype(np.float32) for px in self._scene.changes(zone.index)]
        # Another light changes all of a zone: what looks as it did, unlike the cloth, still lies there.
        doubted = [n for n, box in enumerate(zone.strangers) if touched(box, changes)]
        things = self._things(zone, small) if doubted else []
        for box, before in ((zone.strangers[n], zone.looks[n]) for n in doubted):
            if touched(box, things) and same_look(before, self._look(gray, box)):
                changes = [change for change in changes if not touched(box, [change])]
        known = {card.code for card in zone.sent or ()}
        # A stranger that is read at last was there before: only the reflection on it has changed.
        new = [card for card in cards if card.code not in known and not lies_in(zone.strangers, card)]
        for change in changes:
            self._card_size.learn(change, new)
        return strangers(zone.strangers, changes, (*(zone.sent or ()), *cards), self._card_size)

    def _things(self, zone: ZoneState, small: SmallPicture) -> list[Outline]:
        """The outlines (mm) of what looks unlike the cloth in a zone."""
        assert self.registration is not None
        assert self._scene is not None
        lying = self._scene.lying(zone.index, small)
        return [self.registration.to_mm(px).astype(np.float32) for px in lying]

    def _look(self, gray: Gray, box: Outline) -> Look:
        assert self.registration is not None
        return look(gray, self.registration.to_px(box))

    def _region(self, zone: ZoneState, t: float) -> Rect:
        """The part of a zone to read: all of it, or the surroundings of the changes."""
        assert self.registration is not None
        assert self._scene is not None
        margin = 0.6 * self._stickers.side_mm
        whole = far = self.registration.zone_rect(zone.zone, margin)
        if self._art is not None:
            # A sticker lies in the zone with the card's middle, its picture reaches beyond.
            far = self.registration.zone_rect(zone.zone, max(margin, self._art.reach_mm))
        changed = self._scene.changed_rect(zone.index)
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

    def _beyond(self, zone: str, card: CardSeen) -> bool:
        """Whether the card's sticker is outside of the picture: then nothing is known about it."""
        assert self.registration is not None
        if zone not in self._cut:
            return False
        at = card.x, card.y, 0.5 * self._stickers.side_mm
        if at not in self._whole:
            self._whole[at] = self.registration.shows(*at)
        return not self._whole[at]

    def _touched(self, card: CardSeen) -> bool:
        """Whether the picture has changed where the card's sticker was read."""
        assert self.registration is not None
        assert self._scene is not None
        x, y = self.registration.to_px([(card.x, card.y)])[0]
        side = self._stickers.side_mm * self.registration.px_per_mm(card.x, card.y)
        return self._scene.changed_share(float(x), float(y), side) > 0.06

    def _inside(self, zone: ZoneState, px: tuple[float, float]) -> bool:
        assert self.registration is not None
        x, y = self.registration.to_mm([px])[0]
        return self.mat.zone_at(float(x), float(y)) == zone.zone

    def _cards(self, zone: ZoneState, reading: Reading, t: float, out: list[Seen]) -> list[CardSeen]:
        """The known cards of a reading whose centre is in the zone. Foreign codes are reported."""
        assert self.registration is not None
        found: list[tuple[str, Corners, float]] = []
        for code in reading.codes:
            name = self.tags.payloads.get(code.payload) if code.payload else None
            told, side = code.text, self.registration.edge_mm(code.corners) * WITH_MARGIN
            if name is not None and not _STICKER_MM[0] <= side <= _STICKER_MM[1]:
                name, told = None, f"{told}, a picture {side:.0f} mm wide"
            if name is None:
                # By its text alone: a picture on a telephone is of another size wherever it is held.
                if code.text not in self.foreign and len(self.foreign) < _FOREIGN_MOST:
                    self.foreign.add(code.text)
                    out.append(Foreign(t, told))
                continue
            found.append((name, code.corners, 1.0 if code.stage == PLAIN else 0.9))
        found += [
            (self.tags.markers[marker.id], marker.corners, 1.0)
            for marker in reading.markers
            if marker.id in self.tags.markers
        ]
        cards = [self._card(name, corners, quality) for name, corners, quality in found]
        return [card for card in cards if self.mat.zone_at(card.x, card.y) == zone.zone]

    def _believed(self, zone: ZoneState, reading: Reading) -> list[CardSeen]:
        """Cards that all looks together are sure of, though no single look is."""
        cards = []
        for match in reading.doubtful:
            if match.payload is not None:
                card = self._card(self.tags.payloads[match.payload], match.corners, 0.7)
                if zone.votes.add(card, match.evidence) and self.mat.zone_at(card.x, card.y) == zone.zone:
                    cards.append(card)
        return cards

    def _card(self, name: str, corners: Corners, quality: float) -> CardSeen:
        """A card by the corners of its code or marker, in px."""
        assert self.registration is not None
        (x, y), angle = self.registration.to_mm(corners).mean(axis=0), self.registration.angle(corners)
        return CardSeen(name, round(float(x), 1), round(float(y), 1), round(angle, 1), quality)

    def _report_twins(self, t: float, out: list[Seen]) -> None:
        """Report a card in two settled places once, again when the places change, and when none is left."""
        settled = [
            z for z in self._zones if z.at_rest and not z.tries and not z.anew and z.missed_at == math.inf
        ]
        found = twins(
            (z.zone.name, c) for z in settled for c in z.sent or () if not self._beyond(z.zone.name, c)
        )
        keys = {(code, tuple(name for name, _, _ in where)) for code, where in found.items()}
        out.extend(
            Duplicate(t, code, where)
            for code, where in sorted(found.items())
            if (code, tuple(name for name, _, _ in where)) not in self._twins
        )
        names = {z.zone.name for z in settled}
        # A place under a hand shows nothing: what was found there counts until it is seen again.
        keys |= {key for key in self._twins if not names.issuperset(key[1])}
        if self._twins and not keys:
            out.append(Duplicate(t, "", ()))
        self._twins = keys
