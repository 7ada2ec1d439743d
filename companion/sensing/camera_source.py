"""A camera as source: turns camera reports into observations."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import cv2
import numpy as np

from companion.core.clock import Clock
from companion.core.config import LensConfig
from companion.core.language import listed, text
from companion.core.sensor_terms import place_name
from companion.games.registry import mats_by_marker
from companion.games.signs import Verb
from companion.games.table_game import TableGame
from companion.sensing.observation import (
    UNREAD,
    Button,
    Count,
    Health,
    Observation,
    Reach,
    Seen,
    Sighting,
    TagRead,
)
from companion.sensing.parameters import PICTURE
from companion.sensing.picture_health import PictureHealth
from companion.sensing.vision_words import in_words, words_of
from vision.art.art_on_mat import LiveArt
from vision.art.art_recogniser import ArtBook
from vision.camera.frames import Frame, Restful
from vision.camera.open_camera import Camera
from vision.codes.sticker_set import Tags
from vision.mat.lens_model import Lens
from vision.mat.remembered_table import Home
from vision.scene import camera_reports
from vision.scene.camera_pipeline import Vision

FLICKER_HELP = text(
    "try another lamp, or tell the camera your mains (v4l2-ctl -c power_line_frequency=1 for 50 Hz)"
)
"""Next step if a lamp flickers."""


class FrameRecorder(Protocol):
    """A recorder that sees every processed frame."""

    def look(self, frame: Frame, vision: Vision) -> None:
        """Record `frame`, or skip it.

        `vision` knows where the mat lies in it.
        """
        ...


class CameraSource:
    """The camera as a source: its frames become sightings of cards, reaches of hands, and health reports."""

    def __init__(self, camera: Camera, vision: Vision, clock: Clock, reaches: Collection[str] = ()) -> None:
        """Look at a table through a camera.

        `camera`: gives frames. `vision`: reads them. `reaches`: zones over which the game wants to know of
        hands; hands elsewhere are not reported.
        """
        self._reaches = reaches
        self._clock = clock
        self._camera = camera
        self._restful = camera if isinstance(camera, Restful) else None
        self._vision = vision
        self._health: tuple[bool, str] | None = None
        self._mat: tuple[bool, str] | None = None  # the last report on the mat, whatever the camera does
        self._looked = False
        self._twins = False  # whether two cards carry the same sticker
        self._picture = PictureHealth(camera)
        self._counts: dict[str, int] = {}  # cards on each scale, as last reported
        self._measured: camera_reports.PictureQuality | None = None
        self._last: Frame | None = None
        self.recorder: FrameRecorder | None = None
        self.on_first: Callable[[], None] | None = None
        """Called once, at the first frame; None for nobody."""

    @property
    def finished(self) -> bool:
        """True after the end of a recording.

        Always False for a live camera.
        """
        return self._camera.finished

    @property
    def ready(self) -> bool:
        """True after the first frame, which takes long because vision loads its libraries.

        Also after the camera's end.
        """
        return self._looked or self.finished

    @property
    def settled(self) -> bool:
        """False while hands are over the table."""
        return self._vision.settled

    @property
    def seen_at(self) -> float | None:
        """Time (s) of the newest processed frame.

        None before the first.
        """
        return None if self._last is None else self._last.t

    @property
    def read(self) -> bool:
        """True if all cards in the newest frame were read: nothing moves, and no zone waits."""
        return self._vision.read

    def poll(self) -> list[Observation]:
        """Sightings, reaches and health from the newest frame.

        Empty if no new one came.
        """
        found: list[Observation] = []
        frame = self._camera.read()
        if frame is not None:
            self._last = frame
            if self.on_first is not None:
                self.on_first()
                self.on_first = None
            found += self._picture.locks(frame.t)
            found += self._picture.look(frame)
            for seen in self._vision.feed(frame):
                found += self._translate(seen)
            if self.recorder is not None:
                self.recorder.look(frame, self._vision)
            if self._vision.quality is not None and self._vision.quality is not self._measured:
                self._measured = self._vision.quality
                found += self._picture.take(self._measured)
            if self._restful is not None:
                self._restful.rest(still=self._vision.still)
            self._looked = True
        state = self._camera.state
        why = words_of(state.detail) if not state.ok else self._picture.blinded
        if why and self._health != (False, why):
            self._health = (False, why)
            found.append(Health(round(self._clock.now(), 4), "camera", False, why))
        elif not why and frame is not None and self._health != self._mat:
            # The camera is back: vision got no frames meanwhile and has no news, so its last report is
            # repeated.
            self._health = self._mat
            if self._mat is not None:
                found.append(Health(round(frame.t, 4), "camera", *self._mat))
        return found

    def picture(self, width: int, height: int) -> tuple[int, int, bytes] | None:
        """(width, height, pixels) of the newest frame, with stretched contrast, at most `width` x `height` px.

        Pixels are 3 bytes each (red, green, blue), row by row. None if the frame is older than
        `PICTURE.fresh_s`.
        """
        frame = self._last
        if frame is None or width < 1 or height < 1 or self._clock.now() - frame.t > PICTURE.fresh_s:
            return None
        image = frame.image
        share = min(width / image.shape[1], height / image.shape[0], 1.0)
        size = (max(1, int(image.shape[1] * share)), max(1, int(image.shape[0] * share)))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        rgb = cv2.cvtColor(small, cv2.COLOR_GRAY2RGB if small.ndim == 2 else cv2.COLOR_BGR2RGB)
        # A dim table fills a small part of the range: people see more of it when it fills all.
        low, high = np.percentile(rgb, (1, 99))
        bright = np.clip((rgb.astype(np.float32) - low) * (255 / max(1.0, high - low)), 0, 255)
        return size[0], size[1], bright.astype(np.uint8).tobytes()

    def hear(self, others: Sequence[Observation]) -> None:
        """Count signs of hands in other sensors' observations.

        A sign is a changed count, a tag or a button. Many of them, while the picture stays the same, prove it
        frozen.
        """
        signs = 0
        for seen in others:
            match seen:
                case Count(station=station, n=n):
                    signs += self._counts.get(station, n) != n
                    self._counts[station] = n
                case TagRead(card=str()) | Button():
                    signs += 1
        self._picture.hear(signs)

    def _translate(self, seen: camera_reports.Seen) -> list[Observation]:
        match seen:
            case camera_reports.ZoneSeen(t, zone, cards, _, strangers):
                unread = (Seen(UNREAD, round(x, 1), round(y, 1), quality=0.0) for x, y in strangers)
                return [Sighting(round(t, 4), zone, (*(_rounded(card) for card in cards), *unread))]
            case camera_reports.HandCame(t, zone) | camera_reports.HandLeft(t, zone):
                over = isinstance(seen, camera_reports.HandCame)
                return [Reach(round(t, 4), zone, over)] if zone in self._reaches else []
            case camera_reports.CameraState(t, ok, detail):
                return self._camera_state(round(t, 4), ok, words_of(detail))
            case camera_reports.LampFlickers(t, strength):
                percent = f"{100 * strength:.0f}"
                bands = text(
                    "bands of {strength} % run through the picture; {help}", strength=percent, help=FLICKER_HELP
                )
                detail = bands if strength else ""
                return [Health(round(t, 4), "lamp", not strength, detail)]
            case camera_reports.Foreign(t, code):
                # That two cards carry the same sticker is not mended by it.
                told = text("a code that is not ours: {code}", code=code[:40])
                return [] if self._twins else [Health(round(t, 4), "stickers", True, told)]
            case camera_reports.Duplicate(t, code, places):
                self._twins = bool(code)
                if not code:
                    return [Health(round(t, 4), "stickers", True)]
                return [Health(round(t, 4), "stickers", False, _told_of_twins(code, places))]
        return []

    def _camera_state(self, t: float, ok: bool, said: str) -> list[Observation]:
        """Note whether the mat is found (`ok`), and report it unless the picture is not believed now."""
        if not ok and self._mat is not None and self._mat[0]:
            self._picture.moved()
        self._mat = (ok, said)
        if self._picture.blinded:
            return []  # said when the picture may be believed again
        self._health = self._mat
        return [Health(t, "camera", ok, said)]

    @property
    def reaching(self) -> float:
        """Share (0 to 1) of the last frame under hands, arms or heads. 1 while the mat is not found."""
        return self._vision.reaching

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


def _told_of_twins(code: str, places: Sequence[tuple[str, float, float]]) -> str:
    """Sentence on two cards with the same sticker. `places`: (zone, x, y) of each, in mm."""
    where = listed([place_name(zone) for zone in dict.fromkeys(zone for zone, _, _ in places)])
    return text("two cards carry the same sticker: {code} in {places}", code=code, places=where)


def _rounded(card: camera_reports.CardSeen) -> Seen:
    """A card with place and angle rounded to tenths (mm, degrees): a camera resolves no more, and journals
    stay short."""
    return Seen(card.code, round(card.x, 1), round(card.y, 1), round(card.angle, 1), round(card.quality, 2))


@in_words()
def measured(lens: LensConfig | None) -> Lens | None:
    """The lens as setup measured it and the settings keep it; None if it was not measured.

    BadInputError for an impossible one.
    """
    return None if lens is None else Lens(lens.width, lens.height, lens.focal, lens.cx, lens.cy, lens.k)


def watch(
    game: TableGame[Any, Any],
    variant: str,
    camera: Camera,
    clock: Clock,
    lens: LensConfig | None = None,
    book: ArtBook | None = None,
    lying: Mapping[str, Sequence[tuple[float, float]]] = MappingProxyType({}),
    home: Home | None = None,
) -> CameraSource:
    """Camera source that looks for a game's mat and cards.

    `lens`: measured lens of this camera; None: not measured. `book`: cards known by their print; if it has
    all kinds, no stickers are read. `lying`: zone -> places (mm) of cards that lay unread when an earlier
    run ended. `home`: where a table without a mat lies.
    """
    reaches = [zone for verb, zone in game.watched(variant) if verb == Verb.REACH]
    strangers_in = [zone for verb, zone in game.watched(variant) if verb in (Verb.UNREAD, Verb.LIES)]
    cards = game.cards(variant)
    art = None if book is None or not book.views else LiveArt(book)
    by_sticker = [card for card in cards if art is None or card.kind not in art.kinds]
    vision = Vision(
        game.mat(variant),
        Tags.of(cards if by_sticker else ()),
        lens=measured(lens),
        strangers_in=strangers_in,
        mat_names=mats_by_marker,
        art=art,
        lying=lying,
        home=home,
    )
    return CameraSource(camera, vision, clock, reaches)
