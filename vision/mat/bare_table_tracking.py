"""Tracks a table without a mat.

Landmarks show that the table is where setup saw it. After a push, people lay four cards at its corners.
"""

from dataclasses import dataclass, replace
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frames import Frame, Image
from vision.codes.sticker_set import Gray
from vision.errors import UnusableError
from vision.mat import landmarks
from vision.mat.corner_cards import CornerCards, card_quality, register_cards
from vision.mat.landmarks import FAR, HALF, NEAR, PATCH, FoundLandmarks, Spot, halved
from vision.mat.lens_model import Lens, Points
from vision.mat.marker_quality import MarkerQuality
from vision.mat.mat_finder import MOVED_PX, register
from vision.mat.mat_fit import Corners, follow
from vision.mat.mat_tracking import DARK, LOSS_FRAMES, SEARCH_EVERY, SEARCH_FRAMES
from vision.mat.registration import Registration
from vision.mat.remembered_table import Home
from vision.mat_geometry import Mat, MatMarker
from vision.reasons import MatFound, Reason, Simple, TableFound, TableFoundAgain, TableFoundByCards, TableMoved
from vision.scene.camera_reports import CameraState

_LEAST = 6
"""_LEAST: number of landmarks that must agree before a movement of the camera is believed."""
_AGREE, _MOST_STILL = 0.6, 0.5
"""Shares of the landmarks found: _AGREE must move together to show a movement, _MOST_STILL must rest to show
that the camera rests."""
_STAY = 0.1
"""_STAY: share of the found landmarks that may stay in place after a push of the camera. If more stay, people
moved cards."""
_SEEN = 0.2
"""_SEEN: share of all landmarks of which fewer are found again if the camera was moved or the light
changed."""
_WORST_PX = 2.0
"""_WORST_PX: greatest distance (px) of a landmark from where a movement takes it, if it agrees with that
movement."""
_FEW = 20
"""Number of landmarks that one quick check searches; all take turns."""
_LOOK_EVERY_S, _TURN_S = 1.0, 0.2
"""_LOOK_EVERY_S: time (s) between two checks while nothing seems shifted. _TURN_S: time (s) between two
landmarks that are examined in the small picture."""
_LAID_LEAST, _LAID_MOST, _LAID_LEVELS = 0.012, 0.25, 12
"""Least and greatest share of the picture that changes (by more than _LAID_LEVELS grey levels) when four cards
are laid. A greater share means that the camera was moved again."""


_NO_MAT = Mat("", 0.0, 0.0, (), ())


class CameraMotion(Enum):
    """What the landmarks of a table tell about the camera: it rests, or it was moved.

    GONE: hardly a landmark is found. UNKNOWN: they do not agree.
    """

    STILL = "still"
    MOVED = "moved"
    GONE = "gone"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class _Judged:
    motion: CameraMotion
    px: float = 0.0


def seen_again(home: Home, gray: Gray) -> Registration | None:
    """Find a table that setup saw (`home`) by its landmarks: its place in the picture.

    None if the landmarks do not suffice. `gray`: the whole picture.
    """
    return HomePlacement(_NO_MAT, home).where_it_was(halved(gray), (gray.shape[0], gray.shape[1]))


class HomePlacement:
    """Finder of a table without a mat, which also notices when the camera was moved.

    Methods as in `Placement`, which uses markers. `home`: the table as setup saw it; None: four cards at its
    corners show it. `lens`: the camera's, if measured.
    """

    def __init__(self, mat: Mat, home: Home | None, lens: Lens | None = None) -> None:
        self.registration: Registration | None = None
        self.well = False
        self.sure = True
        self.better = False
        self.markers: tuple[MatMarker, ...] = ()
        """Squares (mm) around the landmarks. The id of a square is the number of the landmark's cell in the
        picture."""
        self._mat, self._lens = mat, lens
        self._before = None if home is None else home.registration
        self._fresh = home is not None and home.fresh
        self._spots: tuple[Spot, ...] = () if home is None else home.spots
        self._waited = SEARCH_EVERY
        self._turned_at = self._looked_at = 0.0
        self._turn = self._first = 0
        self._empty: Image | None = None
        self._by_cards: MarkerQuality | None = None
        self._said: tuple[bool, Reason] | None = None

    def lose(self) -> None:
        """Forget where the table lies.

        Light, picture size or camera changed.
        """
        if self.well:
            self.well, self._empty = False, None
            self._waited = SEARCH_EVERY

    def find(self, frame: Frame, mean: float, t: float, still_frames: int) -> list[CameraState]:
        """Search the table once enough frames had no motion.

        Returns news of the camera's state; empty if there is none. `mean`: mean grey level of the picture (0
        to 255). `t`: time (s). `still_frames`: frames without motion up to now.
        """
        self._waited += 1
        if still_frames < SEARCH_FRAMES or self._waited < SEARCH_EVERY:
            return []
        self._waited = 0
        if mean < DARK:
            # Some landmarks are found even so, but what would be learned now is not found again in the light.
            return self._say(t, False, Simple.DARK)
        small = halved(frame.gray)
        try:
            found, told = self._found(frame, small)
        except UnusableError as error:  # the lens was measured in pictures of another shape
            return self._say(t, False, error.at)
        if found is None:
            return self._say(t, False, told)
        self.registration = self._before = found
        self.well = self.sure = True
        self._fresh = False
        self._looked_at, self._empty = t, None
        self._learn(landmarks.learn(small))
        return self._say(t, True, told)

    def _found(self, frame: Frame, small: Gray) -> tuple[Registration | None, Reason]:
        """Find the table by its last place, by a mat, or between four cards.

        Returns its place and how it was found, or None and why not. `small`: the picture at half size.
        """
        found = self.where_it_was(small, frame.size)
        if found is not None:
            return found, self._told_again(found)
        mat = register(self._mat, frame.gray, measured=self._lens)
        if mat is not None:
            return mat, MatFound(mat.markers, mat.summary)
        laid = self._cards(frame, small)
        if laid is None:
            return None, Simple.TABLE_LOST
        self._by_cards = card_quality(laid, frame.gray)
        return laid.registration, TableFoundByCards(laid.registration.summary)

    def turn(self, t: float) -> MatMarker | None:
        """Small picture's square around the landmark to examine next.

        Mostly None: one is examined every 0.2 s. `t`: time (s).
        """
        if t - self._turned_at < _TURN_S or not self.markers:
            return None
        self._turned_at = t
        self._turn = (self._turn + 1) % len(self.markers)
        return self.markers[self._turn]

    def doubtful(self, frame: Frame, t: float, *, shifted: bool) -> bool:
        """True if landmarks seem to have left their places, so that `check` must be called.

        `shifted`: one looks shifted in the small picture; otherwise this is tested once a second. `t`: time
        (s).
        """
        if not shifted and t - self._looked_at < _LOOK_EVERY_S:
            return False
        self._looked_at = t
        return self._quickly(halved(frame.gray)) is not CameraMotion.STILL

    def check(self, frame: Frame, t: float, still_frames: int, *, shifted: bool) -> list[CameraState]:
        """Check whether the landmarks are where they were.

        If not, forget where the table lies, and report why.

        `t`: time (s). `still_frames`: frames without motion up to now. `shifted` is not used.
        """
        del shifted
        small = halved(frame.gray)
        if self._quickly(small) is CameraMotion.STILL:
            self.sure = True
            return []
        judged = self._judged(landmarks.find(small, self._spots, NEAR))
        known = judged.motion is not CameraMotion.UNKNOWN and judged.motion is not CameraMotion.GONE
        self.sure = known or still_frames >= LOSS_FRAMES
        if not self.sure or judged.motion in (CameraMotion.STILL, CameraMotion.UNKNOWN):
            return []
        self.lose()
        if judged.motion is CameraMotion.MOVED:
            return self._say(t, False, TableMoved(round(judged.px)))
        return self._say(t, False, Simple.PICTURE_CHANGED)

    def told(self, t: float) -> list[CameraState]:
        """Always empty: `find` and `check` report everything at once."""
        return []

    def quality(self, frame: Frame) -> MarkerQuality | None:
        """Measure focus and exposure once after the table was found by four cards; else None.

        At each call landmarks that have gone are replaced, if the camera rests.
        """
        small = halved(frame.gray)
        found = landmarks.find(small, self._spots, NEAR)
        motion = self._judged(found).motion
        few = len(self._spots) < 2 * _LEAST
        if motion is CameraMotion.STILL or (few and motion is CameraMotion.UNKNOWN):
            crept = np.median(found.moves, axis=0) if motion is CameraMotion.STILL else (0.0, 0.0)
            # A camera that sinks slowly must not take the landmarks with it.
            new = landmarks.learn(small, [spot.cell for spot in found.spots])
            new = tuple(replace(one, x=one.x - crept[0], y=one.y - crept[1]) for one in new)
            self._learn((*found.spots, *new))
        measured, self._by_cards = self._by_cards, None
        return measured

    def _told_again(self, found: Registration) -> Reason:
        """Say how landmarks showed the table, as a reason.

        It says how far (px) the camera was moved, if it was. `found`: the table's place.
        """
        assert self._before is not None
        middle = [(self._mat.w / 2, self._mat.h / 2)]
        px = float(np.linalg.norm(found.to_px(middle) - self._before.to_px(middle)))
        if found is self._before:
            return TableFound(found.summary)
        return TableFoundAgain(round(px), found.summary)

    def _learn(self, spots: tuple[Spot, ...]) -> None:
        assert self.registration is not None
        self._spots = spots
        mm = self.registration.to_mm(landmarks.places_of(spots))
        side = 2 * PATCH * HALF / self.registration.fit.px_per_mm
        self.markers = tuple(
            MatMarker(one.cell, float(x), float(y), side) for one, (x, y) in zip(spots, mm, strict=True)
        )

    def _quickly(self, small: Gray) -> CameraMotion:
        """Judge the camera's motion by 20 landmarks, others each call.

        `small`: the picture at half size.
        """
        count = len(self._spots)
        if count <= _FEW:
            return self._judged(landmarks.find(small, self._spots, NEAR)).motion
        self._first = (self._first + 1) % count
        few = [self._spots[(self._first + n * count // _FEW) % count] for n in range(_FEW)]
        return self._judged(landmarks.find(small, few, NEAR), len(few)).motion

    def _judged(self, found: FoundLandmarks, of: int | None = None) -> _Judged:
        """Judge the camera's motion by the landmarks that were found.

        `of`: how many were searched; None: all.
        """
        of = len(self._spots) if of is None else of
        count = len(found.spots)
        far = np.linalg.norm(found.moves, axis=1)
        still = int(np.count_nonzero(far <= MOVED_PX))
        if still >= max(_LEAST, _MOST_STILL * count):
            return _Judged(CameraMotion.STILL)
        if _enough(_agreeing(found), found, 0):
            return _Judged(CameraMotion.MOVED, float(np.median(far)))
        if of >= 2 * _LEAST and count < _SEEN * of:
            return _Judged(CameraMotion.GONE)
        return _Judged(CameraMotion.UNKNOWN)

    def where_it_was(self, small: Gray, size: tuple[int, int]) -> Registration | None:
        """Find the table by landmarks near its last place.

        None if they do not suffice.

        `small`: picture at half size. `size`: height and width (px) of the whole picture.
        """
        before = self._before
        if before is None or (before.height, before.width) != size:
            return None
        motion = self._judged(landmarks.find(small, self._spots, NEAR)).motion
        if motion is CameraMotion.STILL or (self._fresh and len(self._spots) < _LEAST):
            return before  # also on a checked cloth: nobody pushes a camera by exactly some of its squares
        unique = tuple(one for one in self._spots if one.unique)
        found = landmarks.find(small, unique, FAR)
        good = _agreeing(found)
        if not _enough(good, found, len(unique)):
            return None
        placed = _followed(before, found, good)
        # Searched again from the new place: near the rim the first search did not reach far enough.
        expected = placed.to_px(before.to_mm(landmarks.places_of(unique)))
        found = landmarks.find(small, unique, NEAR, expected)
        miss = np.linalg.norm(found.px - placed.to_px(before.to_mm(found.px - found.moves)), axis=1)
        good = miss <= 2 * _WORST_PX
        if not _enough(good, found, len(unique)):
            return None
        placed = _followed(before, found, good)
        return placed if placed.fit.rms_px <= _WORST_PX else None

    def _cards(self, frame: Frame, small: Gray) -> CornerCards | None:
        """Find the lost table by four cards laid since.

        None if none were laid, or they do not fit. `small`: the frame at half size.
        """
        if self._empty is None or self._empty.shape[:2] != frame.size:
            self._empty = frame.image
            return None
        gray = self._empty if self._empty.ndim == 2 else cv2.cvtColor(self._empty, cv2.COLOR_BGR2GRAY)
        apart = cv2.absdiff(small, halved(np.asarray(gray, np.uint8)))
        share = float(np.count_nonzero(apart > _LAID_LEVELS)) / apart.size
        if share > _LAID_MOST:
            self._empty = frame.image
        if not _LAID_LEAST <= share <= _LAID_MOST:
            return None
        return register_cards(self._mat, frame.image, self._empty, self._lens)

    def _say(self, t: float, ok: bool, detail: Reason) -> list[CameraState]:
        if self._said == (ok, detail):
            return []
        self._said = (ok, detail)
        return [CameraState(t, ok, detail)]


def _enough(agree: NDArray[np.bool_], found: FoundLandmarks, of: int) -> bool:
    """True if enough landmarks agree that the camera was pushed.

    `agree`: mask of the found ones that moved together. `of`: number searched. A push leaves nothing in place;
    if more than a tenth rests, people have moved a row of cards.
    """
    count = int(np.count_nonzero(agree))
    far = np.linalg.norm(found.moves, axis=1)
    stay = int(np.count_nonzero(~agree & (far <= MOVED_PX)))
    most = max(_LEAST, _AGREE * len(found.spots), _SEEN * of)
    return count >= most and stay <= _STAY * len(found.spots)


def _agreeing(found: FoundLandmarks) -> NDArray[np.bool_]:
    """Mask (n) of the found landmarks that moved together, as a pushed camera moves them."""
    if len(found.spots) < _LEAST:
        return np.zeros(len(found.spots), np.bool_)
    was = found.px - found.moves
    mask = cv2.estimateAffinePartial2D(
        was.astype(np.float32), found.px.astype(np.float32), ransacReprojThreshold=_WORST_PX
    )[1]
    return np.zeros(len(was), np.bool_) if mask is None else mask.ravel() > 0


def _followed(before: Registration, found: FoundLandmarks, good: NDArray[np.bool_]) -> Registration:
    """Table's place after the camera was pushed, by its landmarks.

    `before`: place before the push. `good`: mask of the found landmarks that moved together.
    """
    half = PATCH * HALF / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])

    def corners(px: Points) -> Points:
        return np.asarray((px[good][:, None] + square).reshape(-1, 2), np.float64)

    seen = Corners(corners(found.px), before.to_mm(corners(found.px - found.moves)))
    return replace(before, fit=follow(before.fit, seen))
