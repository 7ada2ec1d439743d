"""Tracks the mat over frames: finds it, checks it while in use, and finds it again."""

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace

from vision.camera.frames import Frame
from vision.codes.sticker_set import Gray
from vision.errors import UnusableError
from vision.mat.lens_model import Lens
from vision.mat.marker_quality import MarkerQuality, marker_quality, sharpest_edges_px
from vision.mat.mat_finder import MOVED_PX, is_mirrored, markers_in_sight, nudge, reaches_beyond, register
from vision.mat.registration import Registration
from vision.mat_geometry import Mat, MatMarker
from vision.reasons import MatFound, MatLost, MatMoved, MatOfOtherGame, Reason, Simple
from vision.scene.camera_reports import CameraState

SEARCH_FRAMES = 8
"""Frames without motion that must come before a search for the mat, because markers must not be blurred."""
_BUSY_S = 1.0
"""Time (s) after which a mat that was found before is searched although something moves. Hands over a table may
never rest, and blur only what they hide. A guess."""
LOSS_FRAMES = 2
"""Frames without motion that must come before the absence of every marker counts."""
SEARCH_EVERY = 10
"""Number of frames between two searches for the mat, because a search takes long."""
_GLANCE_S = 0.2
"""Time (s) between two markers that are examined. Markers take turns, because a pushed camera moves all of
them."""
_BLURRED_PX = 9.0
"""Width (px) of the sharpest edges of a picture above which markers cannot be read."""
_MIRROR_EVERY_S = 10.0
"""Least time (s) between two searches of the flipped picture, each 0.15 s of a desktop's core."""
_ANOTHER = 2
"""Least number of corner markers of another mat in sight that is no accident."""
_GLANCE_ALL_S = 2.0
"""Time (s) between two searches for a marker that does not look shifted."""
_UNSURE_S = 5.0
"""Time (s) after which the absence of every marker, or a blurred picture, is reported."""
_LOOK_EVERY_S = 1.0
"""Least time (s) between two tests of a picture's sharpness, and of its landmarks."""
_FEW_MOVED_PX = 1.0
"""While a marker is not seen, others displaced by more (px) may be the still side of a camera that turned.
Corners are found to 0.3 px."""
_TURNED_S = 1.0
"""Time (s) for which that must last before the mat is searched anew. An arm hides markers for less."""
DARK = 30
"""DARK: mean grey level (0 to 255) of a picture below which darkness is given as the cause of a lost mat."""


class Placement:
    """Finder of the mat in frames.

    It also notices when camera or mat move. It uses the corner markers. `lens`: the camera's, if measured.
    `mat_names`: returns marker id -> name of its mat, for the mats of all games.
    """

    def __init__(
        self, mat: Mat, lens: Lens | None = None, mat_names: Callable[[], Mapping[int, str]] = dict
    ) -> None:
        self._mat_names = mat_names
        self.registration: Registration | None = None
        """Last place of the mat in the picture. Valid only while `well` is True."""
        self.well = False
        """True while the mat's place is known, so that frames may be used."""
        self.sure = True
        """False if the last check saw no marker. Arms may have hidden them."""
        self.better = False
        """True if a new search may place the mat better.

        The last check saw more markers than the registration used, or fewer that moved a little.
        """
        self._mat = mat
        self.markers = mat.markers
        """Corner markers where they really lie: as printed on a mat, or as laid by hand."""
        self._lens = lens
        self._waited = SEARCH_EVERY
        self._glanced_at = self._turned_at = 0.0
        self._turn = 0
        self._hoped = 0  # markers that a better place was hoped from: if it was in vain, once is enough
        self._said: tuple[bool, Reason] | None = None
        self._found: Reason | None = None  # what was said when the mat was found
        self._few_since = self._lost_since = math.inf
        self._blurred_since = self._unseen_since = math.inf
        self._marks_at = self._edges_at = -math.inf
        self._rests = False
        self._flipped_at = -math.inf
        self._mirrored = False  # whether the last look at the flipped picture saw the mat

    def lose(self) -> None:
        """Forget where the mat lies.

        Light, picture size or camera changed.
        """
        if self.well:
            self.well = False
            self._waited, self._lost_since = SEARCH_EVERY, math.inf

    def find(self, frame: Frame, mean: float, t: float, still_frames: int) -> list[CameraState]:
        """Search the mat once enough frames had no motion, or while hands move for long.

        Returns news of the camera's state; empty if there is none. `mean`: mean grey level of the picture (0
        to 255). `t`: time (s). `still_frames`: frames without motion up to now.
        """
        self._waited += 1
        self._lost_since = min(self._lost_since, t)
        rests = still_frames >= SEARCH_FRAMES
        busy = self.registration is not None and t - self._lost_since >= _BUSY_S
        if not (rests or busy) or self._waited < SEARCH_EVERY:
            return []
        self._waited = 0
        gray = frame.gray
        try:
            found = self._registered(gray)
        except UnusableError as error:
            return self._say(t, False, error.at)
        if found is None and not rests:
            return []  # a camera that swings says nothing of the mat
        if found is None:
            return self._say(t, False, self._missing(gray, mean, t))
        self.registration, self.well, self._glanced_at = found, True, t
        self.markers = found.laid or self._mat.markers
        self.sure, self.better = True, False
        self._blurred_since = self._unseen_since = math.inf
        self._found = said = MatFound(found.markers, found.summary)
        return self._say(t, True, said)

    def _registered(self, gray: Gray) -> Registration | None:
        """Find the mat by its corner markers: first where they lay before, then as printed.

        None if the mat is not found.
        """
        if self.markers != self._mat.markers:
            found = register(replace(self._mat, markers=self.markers), gray, self.registration, self._lens)
            if found is not None:
                return found
        return register(self._mat, gray, self.registration, self._lens)

    def _missing(self, gray: Gray, mean: float, t: float) -> Reason:
        """Find out why no mat is found in a picture.

        `mean`: its mean grey level (0 to 255). `t`: time (s).
        """
        ids = markers_in_sight(gray)
        names = self._mat_names()
        others = Counter(names[one] for one in ids if names.get(one, self._mat.name) != self._mat.name)
        if others and others.most_common(1)[0][1] >= _ANOTHER:
            other = others.most_common(1)[0][0]
            return MatOfOtherGame(other, self._mat.name)
        wanted = {marker.id for marker in self._mat.markers}
        if wanted <= ids:
            return Simple.MAT_MISFIT
        seen, of = len(wanted & ids), len(wanted)
        if mean < DARK:
            return MatLost(seen, of, dark=True)
        if reaches_beyond(self._mat, gray):
            return MatLost(seen, of, beyond=True)
        if sharpest_edges_px(gray) > _BLURRED_PX:
            return MatLost(seen, of, unfocused=True)
        if not ids & {*names, *wanted} and self._is_mirrored(gray, {*names, *wanted}, t):
            return Simple.MIRRORED
        return MatLost(seen, of)

    def _is_mirrored(self, gray: Gray, known: set[int], t: float) -> bool:
        if t - self._flipped_at >= _MIRROR_EVERY_S:
            self._flipped_at, self._mirrored = t, is_mirrored(gray, known)
        return self._mirrored

    def turn(self, t: float) -> MatMarker | None:
        """Marker to be examined next in the small picture.

        Mostly None: one is examined every 0.2 s. `t`: time (s).
        """
        if t - self._turned_at < _GLANCE_S:
            return None
        self._turned_at = t
        self._turn = (self._turn + 1) % len(self.markers)
        return self.markers[self._turn]

    def doubtful(self, frame: Frame, t: float, *, shifted: bool) -> bool:
        """True if a marker seems to have left its place, so that `check` must be called.

        Also True if the mat was found by too few markers. One marker is searched: if it is `shifted` in the
        small picture, otherwise every two seconds, because a camera that sinks slowly takes the picture of
        comparison with it. `t`: time (s).
        """
        if not shifted and t - self._glanced_at < _GLANCE_ALL_S:
            return False
        assert self.registration is not None
        self._glanced_at = t
        moved = nudge(self.markers[self._turn : self._turn + 1], frame.gray, self.registration)
        self._look_for_blur(frame.gray, t)
        return moved is None or moved.px > MOVED_PX or self.registration.markers < len(self.markers)

    def check(self, frame: Frame, t: float, still_frames: int, *, shifted: bool) -> list[CameraState]:
        """Check whether the corner markers are where they were.

        If not, forget where the mat lies, and report why.

        `shifted`: a marker looks shifted in the small picture, which shows shifts of MOVED_PX. If False,
        and all markers placed the mat, nothing is checked. `t`: time (s). `still_frames`: frames without
        motion up to now.
        """
        assert self.registration is not None
        if not shifted and self.registration.markers == len(self.markers):
            self.sure, self.better = True, False
            return []
        moved = nudge(self.markers, frame.gray, self.registration)
        if moved is None:
            return self._unseen(frame.gray, t, still_frames)
        self.sure, self._unseen_since = True, math.inf
        self._look_for_blur(frame.gray, t)
        if moved.exchanged:
            self.lose()
            self._hoped = 0
            return self._say(t, False, Simple.SHEETS_EXCHANGED)
        if moved.px <= MOVED_PX:
            more = moved.markers > max(self.registration.markers, self._hoped)
            few = moved.markers < self.registration.markers and moved.px > _FEW_MOVED_PX
            self._few_since = min(self._few_since, t) if few else math.inf
            turned = t - self._few_since >= _TURNED_S
            self.better = turned or (more and still_frames >= SEARCH_FRAMES)
            if turned:
                self._few_since = math.inf
            elif self.better:
                self._hoped = moved.markers
            return []
        self.lose()
        self._hoped = 0
        return self._say(t, False, MatMoved(round(moved.px)))

    def _unseen(self, gray: Gray, t: float, still_frames: int) -> list[CameraState]:
        """Decide what becomes of the mat's place when no marker is seen; return news.

        The place is kept if arms or a blur may hide the markers, or landmarks rest; else it is forgotten.
        """
        assert self.registration is not None
        self._unseen_since = min(self._unseen_since, t)
        for_long = t - self._unseen_since >= _UNSURE_S
        self.sure = False
        if still_frames < LOSS_FRAMES and not for_long:
            return []
        if t - self._marks_at >= _LOOK_EVERY_S:
            self._marks_at, self._rests = t, self.registration.looks_unmoved(gray)
        if self._rests:
            self.sure = True
            return []
        if self._look_for_blur(gray, t):
            return []
        self.lose()
        self._hoped = 0
        return self._say(t, False, Simple.MARKERS_GONE)

    def _look_for_blur(self, gray: Gray, t: float) -> bool:
        """True if the picture was blurred when last tested.

        It is tested once a second, because a test takes 6 ms. `t`: time (s).
        """
        assert self.registration is not None
        if t - self._edges_at >= _LOOK_EVERY_S:
            self._edges_at = t
            smeared = self.registration.looks_smeared(gray)
            self._blurred_since = min(self._blurred_since, t) if smeared else math.inf
        return self._blurred_since < math.inf

    def told(self, t: float) -> list[CameraState]:
        """Report that the picture has been blurred for a while, and when that ends.

        Empty without news. `t`: time (s).
        """
        if self._said is None or not self._said[0] or self._found is None:
            return []
        return self._say(t, True, Simple.BLURRED if t - self._blurred_since >= _UNSURE_S else self._found)

    def quality(self, frame: Frame) -> MarkerQuality | None:
        """Measure focus and exposure at the mat's markers.

        None if too few are in sight.
        """
        assert self.registration is not None
        return marker_quality(self.markers, frame.gray, self.registration)

    def _say(self, t: float, ok: bool, detail: Reason) -> list[CameraState]:
        if self._said == (ok, detail):
            return []
        self._said = (ok, detail)
        return [CameraState(t, ok, detail)]
