"""The camera pipeline: frames in, reports of zones out.

A zone (area of the mat) is read when it is clear, steady and changed.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from vision.art.art_on_mat import LiveArt
from vision.camera.frames import Frame
from vision.codes.sticker_set import Tags
from vision.codes.sticker_size import StickerReader
from vision.mat.bare_table_tracking import HomePlacement
from vision.mat.lens_model import Lens
from vision.mat.mat_tracking import SEARCH_FRAMES, Placement
from vision.mat.registration import Registration
from vision.mat.remembered_table import Home
from vision.mat_geometry import Mat, MatMarker
from vision.scene.art_follower import ArtFollower
from vision.scene.camera_reports import (
    CardSeen,
    Duplicate,
    HandCame,
    HandLeft,
    LampFlickers,
    PictureQuality,
    Seen,
    ZoneSeen,
)
from vision.scene.card_tracks import Track, Tracks
from vision.scene.hand_segmentation import Glance, Scene, moving_between
from vision.scene.lamp_flicker import LampFlicker
from vision.scene.sighting_assignment import twins
from vision.scene.small_picture import SmallPicture, small_picture, white
from vision.scene.unread_cards import (
    CardSize,
    lying_at,
)
from vision.scene.zone_reader import FramePictures, ZoneReader
from vision.scene.zone_state import SETTLE, ZoneState

_PX_A_FRAME = 450_000
"""_PX_A_FRAME: number of px read for stickers in one frame. The rest waits for the next, so that no frame is
late."""
_FLICKER_S = 3.0
"""_FLICKER_S: time (s) for which bands of a flickering lamp must last, or be gone, before this is reported."""
_STILL_PX = 40
"""_STILL_PX: number of px of the small picture that must differ from the frame before if something moves."""
_QUALITY_S = 5.0
"""Time (s) between two measurements of focus and exposure, 8 ms each."""


class Vision:
    """Watcher of one mat: receives frames in order, and reports what lies on it.

    `tags`: table of accepted tags. `sticker_mm`: side of a sticker's white square; None: learned from stickers
    that are read. Marker squares on tiles are about as large. `lens`: the camera's, if measured; None:
    estimated from the mat's corners. `strangers_in`: names of the zones in which strangers (cards without a
    readable sticker) are reported.

    `mat_names`: returns the corner markers of all games' mats, for the message if this mat is not found.
    `art`: recognises cards by their pictures, besides stickers if `tags` has any. `lying`: zone -> places (mm)
    of strangers left by an earlier run; no first picture tells them from the cloth. `home`: where the zones
    lie on a table without a mat. The only time used is the frames' `t`.
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
        """Texts of the foreign QR codes seen so far, made safe to show."""
        self._place = Placement(mat, lens, mat_names) if home is None else HomePlacement(mat, home, lens)
        self._stickers = StickerReader(tags.payloads, sticker_mm)
        self._art = None if art is None else ArtFollower(art)
        self._zones = [
            ZoneState(zone, index, strangers=tuple(map(lying_at, lying.get(zone.name, ()))))
            for index, zone in enumerate(mat.zones)
        ]
        self._reader: ZoneReader | None = None
        """Reader of the zones of the mat that was found. None before the mat was found."""
        self._before: SmallPicture | None = None
        self._shape, self._still_frames = (0, 0), 0
        self._reaching = 0.0
        self._twins: set[tuple[str, tuple[str, ...]]] = set()
        self._tracks = Tracks()
        self._watched = frozenset(strangers_in)
        self._card_size = CardSize()
        self.quality: PictureQuality | None = None
        """Focus and exposure as measured last: when the mat was found, and every few seconds. None before."""
        self._quality_at = -math.inf
        self._flicker, self._flickered, self._flicker_since = LampFlicker(), False, math.inf

    @property
    def registration(self) -> Registration | None:
        """Place of the mat in the picture, as found last (maps px to mm, and back).

        None before it was found.
        """
        return self._place.registration

    @property
    def landmarks(self) -> tuple[MatMarker, ...]:
        """Squares (mm) by which moves of the camera are noticed.

        Corner markers, or spots of a table without a mat.
        """
        return self._place.markers

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Every card seen so far, in or out of sight, as of the last frame."""
        return self._tracks.all()

    @property
    def found(self) -> bool:
        """True if the mat lies at `registration`, by the last frame."""
        return self._place.well and self._place.sure

    @property
    def reaching(self) -> float:
        """Share (0 to 1) of the last frame that people cover.

        Hands, arms and heads count. They reach in from the picture's border. 1 while the mat is not found,
        because nobody knows then.
        """
        return self._reaching if self._place.well else 1.0

    @property
    def settled(self) -> bool:
        """True if the mat is found and no hand covers a zone."""
        return self._place.well and not any(zone.covered for zone in self._zones)

    @property
    def read(self) -> bool:
        """True if all zones in the picture are read.

        False while the mat is not found. Every such zone is then at rest: nothing moves in it.
        """
        return self._place.well and all(
            zone.at_rest and not zone.tries and not zone.anew for zone in self._zones if zone.in_picture
        )

    @property
    def still(self) -> bool:
        """True while nothing moves, no card is missing, and all zones are read.

        Pictures then need no colours.
        """
        return (
            self._place.well
            and self._still_frames >= SEARCH_FRAMES
            and not any(z.covered or z.tries or z.anew or z.missed_at < math.inf for z in self._zones)
        )

    def feed(self, frame: Frame) -> list[Seen]:
        """Process a frame; return the reports it completes, oldest first.

        Frames must come in the order of their times.
        """
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
        out: list[Seen] = []
        small, gain = self._levelled(frame, out)
        glance = self._motion(frame, small, gain)
        if not self._place.well:
            out += self._place.find(frame, float(small.gray.mean()), frame.t, self._still_frames)
            if self._place.well:
                self._start(small, frame.t)
                self._measure(frame)
            return out
        assert glance is not None
        out += self._place.told(frame.t)
        hands = self._note(glance, frame.t)
        waiting = self._waiting(glance, frame.t)
        left = any(isinstance(hand, HandLeft) for hand in hands)
        anew = left or any(z.tries == 0 for z in waiting)
        doubtful = not anew and self._doubtful(frame, small)
        if (anew or doubtful) and self._place_is_lost(frame, small, out, doubtful=doubtful):
            return out
        out += hands
        if self._still_frames >= SEARCH_FRAMES and frame.t >= self._quality_at:
            self._measure(frame)
        if waiting and self._place.sure:
            out += self._read(waiting, frame, small)
        return out

    def _levelled(self, frame: Frame, out: list[Seen]) -> tuple[SmallPicture, float]:
        """The small picture of a frame without the flicker of a lamp, and the gain that this takes.

        A report on the flicker is added to `out`.
        """
        small = small_picture(frame)
        if self._before is None or frame.size != self._shape:
            return small.levelled(1.0), 1.0
        known = (self._before if self._reader is None else self._reader.scene.settled).gray
        small = replace(small, gray=self._flicker.level(small.gray, known))
        gain = 1.0 if self._reader is None else self._flicker.gain
        out += self._tell_flicker(frame.t)
        return small.levelled(gain), gain

    def _motion(self, frame: Frame, small: SmallPicture, gain: float) -> Glance | None:
        """Compare a small picture with the last one; None while no mat has been found.

        Frames without motion are counted. A picture of another size begins anew.
        """
        if self._before is None or frame.size != self._shape:
            self._place.lose()
            self._reader, self._still_frames, self._shape = None, 0, frame.size
        elif self._reader is None:
            still = moving_between(self._before, small) < _STILL_PX
            self._still_frames = self._still_frames + 1 if still else 0
        self._before = small
        if self._reader is None:
            return None
        glance = self._reader.scene.step(small, frame.t, white(gain))
        self._still_frames = self._still_frames + 1 if glance.moving < _STILL_PX else 0
        self._reaching = glance.reaching
        if glance.upheaval:
            self._unsettle()
        return glance

    def _waiting(self, glance: Glance, t: float) -> list[ZoneState]:
        """Zones to read now, those first that were read most often."""
        zones = [z for z in self._zones if z.at_rest and self._wants_reading(z, glance, t)]
        return sorted(zones, key=lambda z: -z.tries)

    def _place_is_lost(self, frame: Frame, small: SmallPicture, out: list[Seen], *, doubtful: bool) -> bool:
        """Check the mat's place, with reports into `out`. True if no zone can be read at it any more.

        `doubtful`: True if the mat seems to have moved.
        """
        assert self._reader is not None
        scene = self._reader.scene
        shifted = doubtful or any(scene.shifted(small, marker) for marker in self._place.markers)
        out += self._place.check(frame, frame.t, self._still_frames, shifted=shifted)
        lost = not self._place.well or (self._place.better and self.settled)
        if lost:
            self._unsettle()
        return lost

    def _read(self, waiting: Sequence[ZoneState], frame: Frame, small: SmallPicture) -> list[Seen]:
        assert self._reader is not None
        out: list[Seen] = []
        read_before = self._reader.pixels
        gray = frame.gray
        now = FramePictures(frame.t, gray if self._art is None else frame.image, gray, small)
        for zone in waiting:
            if self._reader.pixels - read_before >= _PX_A_FRAME:
                return out
            out += self._reader.read(zone, now)
        # Only when nothing is left to read: until then a moved card may seem to be in two places.
        if not any(zone.tries or zone.anew for zone in waiting):
            self._report_twins(frame.t, out)
        return out

    def _doubtful(self, frame: Frame, small: SmallPicture) -> bool:
        """True if all corner markers must be checked.

        One of them may have moved. Each call examines one marker, or none.
        """
        assert self._reader is not None
        marker = self._place.turn(frame.t)
        if marker is None:
            return False
        return self._place.doubtful(frame, frame.t, shifted=self._reader.scene.shifted(small, marker))

    def _tell_flicker(self, t: float) -> list[LampFlickers]:
        """Report that the lamp has flickered for 3 s, or no longer does; mostly empty.

        `t`: time (s).
        """
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
        """Measure focus and exposure at mat markers, into `quality`."""
        assert self.registration is not None
        self._quality_at = frame.t + _QUALITY_S
        seen = self._place.quality(frame)
        if seen is not None:
            self.quality = PictureQuality(frame.t, seen.edge_px, seen.black, seen.white)

    def _unsettle(self) -> None:
        """Report nothing until the mat is found again.

        Light or camera has changed.
        """
        self._place.lose()
        for zone in self._zones:
            zone.restart()

    def _start(self, small: SmallPicture, t: float) -> None:
        """Begin to read the zones of a mat that was just found; all of them count as new.

        Arms are known by what the mat looked like before. `t`: time (s).
        """
        assert self.registration is not None
        before = None if self._reader is None else self._reader.scene
        self._reader = ZoneReader(
            self.mat,
            self._place,
            Scene(self.mat, self.registration, small, t, before),
            self._zones,
            tags=self.tags,
            stickers=self._stickers,
            art=self._art,
            strangers_in=self._watched,
            card_size=self._card_size,
            foreign=self.foreign,
        )
        for zone in self._zones:
            zone.restart()
            zone.anew, zone.tries_anew, zone.quiet, zone.covered = True, 0, SETTLE, False
            zone.in_picture = self.registration.shows_some_of(zone.zone)

    def _note(self, glance: Glance, t: float) -> list[HandCame | HandLeft]:
        """Note motion and hands in every zone.

        Returns the hands that came or left. `glance`: what the last frame shows. `t`: time (s).
        """
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

    def _beyond(self, zone: str, card: CardSeen) -> bool:
        return self._reader is not None and self._reader.beyond(zone, card)

    def _lying(self, zone: ZoneState) -> Iterator[tuple[str, CardSeen]]:
        """(name of the zone, card) for each card last reported there that the camera can see whole."""
        name = zone.zone.name
        return ((name, card) for card in zone.sent or () if not self._beyond(name, card))

    def _report_twins(self, t: float, out: list[Seen]) -> None:
        """Report cards whose code is seen twice at once.

        A card is reported once, and again when its places change. One more report says that none is left. Only
        zones at rest count. `t`: time (s). Reports are added to `out`.
        """
        settled = [z for z in self._zones if _is_settled(z)]
        found = twins(pair for z in settled for pair in self._lying(z))
        places = {(code, tuple(name for name, _, _ in where)): where for code, where in sorted(found.items())}
        out.extend(Duplicate(t, key[0], where) for key, where in places.items() if key not in self._twins)
        names = {z.zone.name for z in settled}
        # A place under a hand shows nothing: what was found there counts until it is seen again.
        keys = {*places, *(key for key in self._twins if not names.issuperset(key[1]))}
        if self._twins and not keys:
            out.append(Duplicate(t, "", ()))
        self._twins = keys


def _is_settled(zone: ZoneState) -> bool:
    """True if all that lies in a zone was reported, and nothing of it is missed."""
    return zone.at_rest and not zone.tries and not zone.anew and zone.missed_at == math.inf
