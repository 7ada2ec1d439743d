"""Names what is wrong with a camera's pictures.

They may be frozen, black, torn, upright, small, slow, or have red for blue. Every frame is sampled at about
5,000 pixels, which costs less than 0.2 ms. No fault is named after a single frame.
"""

import math
from collections import deque
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frames import Frame, Image

_SAMPLE = 96
"""Number of pixels that are sampled along the width of a picture."""
FROZEN_S = 5.0
"""FROZEN_S: time (s) without a changed pixel after which a picture may be frozen."""
_SIGNS = 2
"""_SIGNS: number of signs of hands from other sensors, while no pixel changes, that prove a frozen picture.
One may be an accident."""
_NOISE_SHARE, _NOISY = 0.2, 0.8
"""Rule for a camera with noise. _NOISE_SHARE: least share of pixels that noise changes between frames. _NOISY:
least share of frames in which it does. Streams that repeat still pictures stay below both (a guess)."""
_NOISE_FRAMES = 40
"""_NOISE_FRAMES: number of frames with noise before a lack of noise means a frozen picture."""
_CHANGE_WEIGHT = 0.05
"""Weight of the newest frame in the running share of frames with noise."""
_BLACK, _BRIGHT_SHARE = 24, 0.01
"""Rule for a black picture: less than the share _BRIGHT_SHARE of its pixels reach the grey level _BLACK. Paper
in a dim room has over 40."""
_FLAT, _FLAT_RANGE = 0.25, 2
"""Rule for a torn picture: the lower part has a spread of at most _FLAT_RANGE grey levels, and is at least the
share _FLAT of the height. A plain table varies more, because lenses darken corners and sensors have noise."""
_DETAIL = 30
"""_DETAIL: spread of grey levels below which a picture, or its upper part, is blank."""
_UNCLIPPED = (8, 245)
"""Range of grey levels in which a sensor's noise shows."""
_LIVE_ROW, _LIVE_ROWS = 0.1, 0.8
"""Rule for a part that is not renewed. Above it, at least the share _LIVE_ROWS of the rows has noise: in such a
row at least the share _LIVE_ROW of pixels has changed."""
COARSE_PX = 960
"""COARSE_PX: long side (px) below which a picture is too small. A mat of 960 mm has one pixel a mm at this
size."""
SLOW_HZ = 4.5
"""SLOW_HZ: frames a second below which hands are missed. Cameras that promise 5 deliver 4.9."""
_HAND, _FEW, _MANY = 30, 0.01, 0.5
"""_HAND: least difference (levels) of a hand from the table. _FEW, _MANY: least and greatest share of the
picture that a hand covers."""
_SKIN_CR, _SKIN_CB = (138, 175), (77, 122)
"""Range of Cr and Cb of skin of any tone (Chai and Ngan 1999: 133 to 173 and 77 to 127; both narrowed)."""
_REDDISH_CR, _REDDISH_CB = (133, 255), (0, 126)
"""Range of Cr and Cb of skin in any light of a home. A guess."""
_BLUE_SHARE, _REDDISH_SHARE = 0.1, 0.02
"""Rule for a blue hand. _BLUE_SHARE: least share of it that has skin's colour once red and blue are exchanged.
_REDDISH_SHARE: greatest share that is reddish as it stands, because a person in a blue sleeve has a hand as
well."""
_HANDS, _HANDS_APART_S = 10, 2.0
"""_HANDS: number of the last hands by which colours are judged. _HANDS_APART_S: least time (s) between two of
them."""
_BLUE_MOST, _BLUE_LEAST = 6, 1
"""_BLUE_MOST: number of blue hands among the last ten from which on red and blue count as exchanged.
_BLUE_LEAST: number down to which that fault is over. A blue sleeve whose hand is out of sight is rare."""
_HANDS_EVERY_S = 0.4
"""_HANDS_EVERY_S: least time (s) between two examinations of a hand's colour."""
_GAP_S = 1.0
"""_GAP_S: time (s) without a sign of a fault after which the fault is gone."""


class PictureFault(StrEnum):
    """Fault of a camera's pictures, gravest first."""

    BLACK = "black picture"
    FROZEN = "frozen picture"
    TORN = "part of a picture"
    UPRIGHT = "upright picture"
    COARSE = "small picture"
    SLOW = "few pictures"
    SWAPPED = "swapped colours"


BLINDING = frozenset({PictureFault.BLACK, PictureFault.FROZEN, PictureFault.TORN})
"""Faults under which the pictures prove nothing: neither that a card is there nor that it is not."""
_HOLD_S = {
    PictureFault.BLACK: 0.4,
    PictureFault.FROZEN: 0.0,
    PictureFault.TORN: 2.0,
    PictureFault.UPRIGHT: 1.0,
    PictureFault.COARSE: 1.0,
    PictureFault.SLOW: 2.4,
    PictureFault.SWAPPED: 0.0,
}
"""Fault -> time (s) for which it must be seen again and again before it is named."""

_Gray = NDArray[np.uint8]


class PictureFaults:
    """Watcher of one camera's frames, which names their faults.

    `live`: True if its pictures have fresh noise; those of a recording may repeat.
    """

    def __init__(self, *, live: bool) -> None:
        self._live = live
        self._shape: tuple[int, int] = (0, 0)
        self._samples: dict[int, _Gray] = {}
        """Number of dimensions of a picture -> its last sample. JPEGs come in grey and in colour by turns,
        which differ in rounding."""
        self._changed_at: float | None = None
        self._frames, self._noisy = 0, 0.0
        self._signs = 0
        self._passing: deque[Image] = deque(maxlen=3)  # samples in colour
        self._blue_hands: deque[bool] = deque(maxlen=_HANDS)
        self._exchanged, self._hand_at, self._hands_at = False, -math.inf, -math.inf
        self._seen: dict[PictureFault, tuple[float, float]] = {}  # first and last time (s)

    def hear(self, signs: int) -> None:
        """Count `signs` of hands from other sensors.

        They show that a picture without change is frozen.
        """
        self._signs += signs

    def unchanged_s(self, t: float) -> float:
        """Time (s) since a sampled pixel changed. 0 for a recording or a blank picture.

        `t`: time now (s).
        """
        return 0.0 if self._changed_at is None else t - self._changed_at

    def look(self, frame: Frame, rate_hz: float | None = None) -> tuple[PictureFault, ...]:
        """Examine a frame; return the faults that last, gravest first.

        `rate_hz`: frames a second that the camera delivers; None if unknown.
        """
        if frame.size != self._shape:
            self._shape = frame.size
            self._samples.clear()
            self._passing.clear()
            self._changed_at = None
        sample = _sampled(frame.quickest)
        gray = sample if sample.ndim == 2 else np.asarray(cv2.cvtColor(sample, cv2.COLOR_BGR2GRAY), np.uint8)
        height, width = frame.size
        black = float((gray >= _BLACK).mean()) < _BRIGHT_SHARE
        found = {
            PictureFault.BLACK: black,
            PictureFault.UPRIGHT: height > width,
            PictureFault.COARSE: max(height, width) < COARSE_PX,
            PictureFault.SLOW: rate_hz is not None and 0 < rate_hz < SLOW_HZ,
            PictureFault.TORN: not black and _lower_part_missing(gray),
        }
        before = self._samples.get(sample.ndim)
        if before is not None and self._live:
            changed = before != gray
            found[PictureFault.TORN] |= _lower_part_old(changed, gray)
            found[PictureFault.FROZEN] = self._frozen(frame.t, changed, gray)
        self._samples[sample.ndim] = gray
        if sample.ndim == 3 and frame.t - self._hands_at >= _HANDS_EVERY_S:
            self._hands_at = frame.t
            found[PictureFault.SWAPPED] = self._swapped(sample, frame.t)
        else:
            found[PictureFault.SWAPPED] = self._exchanged
        return self._lasting(found, frame.t)

    def _lasting(self, found: dict[PictureFault, bool], t: float) -> tuple[PictureFault, ...]:
        for fault, there in found.items():
            if there:
                first, last = self._seen.get(fault, (t, t))
                # At a few frames a second one of them is no gap.
                self._seen[fault] = (first, max(last, t))
            elif fault in self._seen and t - self._seen[fault][1] > _GAP_S:
                del self._seen[fault]
        if not found.get(PictureFault.FROZEN):
            self._seen.pop(PictureFault.FROZEN, None)  # one changed picture proves that it is not frozen
        return tuple(
            fault
            for fault in PictureFault
            if fault in self._seen and self._seen[fault][1] - self._seen[fault][0] >= _HOLD_S[fault]
        )

    def _frozen(self, t: float, changed: NDArray[np.bool_], gray: _Gray) -> bool:
        """True if no pixel changed for long, although some should.

        Noise or other sensors show that. `changed`: mask of changed pixels. `t`: time (s).
        """
        if int(gray.max()) - int(gray.min()) < _DETAIL:  # black, white and blank pictures are equal by right
            self._changed_at = None
            return False
        if self._changed_at is None or changed.any():
            if self._changed_at is not None and t - self._changed_at < FROZEN_S:
                noisy = float(changed.mean() >= _NOISE_SHARE)
                self._noisy += _CHANGE_WEIGHT * (noisy - self._noisy)
                self._frames += 1
            self._changed_at, self._signs = t, 0
            return False
        if t - self._changed_at < FROZEN_S:
            return False
        usual = self._frames >= _NOISE_FRAMES and self._noisy >= _NOISY
        return usual or self._signs >= _SIGNS

    def _swapped(self, sample: Image, t: float) -> bool:
        """True if hands show that red and blue are exchanged.

        Most of the last hands were then blue, without any skin. `sample`: pixels of the frame. `t`: time (s).
        """
        self._passing.append(sample)
        if len(self._passing) == 3:
            before, now, after = self._passing
            # What differs from the pictures before and after it passes by: a hand, and no cloth laid bare.
            moving = _far(now, before) & _far(now, after)
            if _FEW < moving.mean() < _MANY and t - self._hand_at >= _HANDS_APART_S:
                self._hand_at = t
                hand = now[moving][None]
                skin = _share(hand, _REDDISH_CR, _REDDISH_CB) > _REDDISH_SHARE
                exchanged = hand[:, :, ::-1]
                if skin or _share(exchanged, _SKIN_CR, _SKIN_CB) >= _BLUE_SHARE:
                    self._blue_hands.append(not skin)
        blue = sum(self._blue_hands)
        self._exchanged = blue >= _BLUE_MOST if not self._exchanged else blue > _BLUE_LEAST
        return self._exchanged


def _far(one: Image, other: Image) -> NDArray[np.bool_]:
    return np.asarray(cv2.absdiff(one, other).max(axis=2) > _HAND)


def _sampled(picture: Image) -> Image:
    step = max(1, picture.shape[1] // _SAMPLE)
    return np.ascontiguousarray(picture[step // 2 :: step, step // 2 :: step])


def _lower_part_missing(gray: _Gray) -> bool:
    """True if a picture's lower part has one grey level.

    Its rows have then never arrived. The upper part has more levels.
    """
    low, high = gray.min(axis=1).astype(int), gray.max(axis=1).astype(int)
    last = int(gray[-1, 0])
    if not _UNCLIPPED[0] < last < _UNCLIPPED[1]:
        return False
    filled = (high - low > _FLAT_RANGE) | (np.abs(low - last) > _FLAT_RANGE)
    rows = _lower_rows(~np.asarray(filled))
    above = gray[: len(gray) - rows]
    return rows >= _FLAT * len(gray) and above.size > 0 and int(above.max()) - int(above.min()) >= _DETAIL


def _lower_part_old(changed: NDArray[np.bool_], gray: _Gray) -> bool:
    """True if a picture's lower part has no changing pixel.

    Noise must change the upper part. `changed`: mask of changed pixels.
    """
    rows = _lower_rows(~np.asarray(changed.any(axis=1)))
    if rows < _FLAT * len(gray) or rows == len(gray):
        return False
    below = gray[len(gray) - rows :]
    unclipped = ((below > _UNCLIPPED[0]) & (below < _UNCLIPPED[1])).mean()
    live = (changed[: len(gray) - rows].mean(axis=1) >= _LIVE_ROW).mean()
    return bool(unclipped > 0.5 and live >= _LIVE_ROWS)


def _lower_rows(one: NDArray[np.bool_]) -> int:
    """Number of rows, from the bottom up, for which `one` is True without a gap."""
    gaps = np.flatnonzero(~one[::-1])
    return int(gaps[0]) if len(gaps) else len(one)


def _share(pixels: Image, red: tuple[int, int], blue: tuple[int, int]) -> float:
    """Share of pixels (1 x n x 3, BGR) whose Cr is within `red` and whose Cb is within `blue`."""
    colours = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_BGR2YCrCb)[0]
    cr, cb = colours[:, 1], colours[:, 2]
    return float(((cr >= red[0]) & (cr <= red[1]) & (cb >= blue[0]) & (cb <= blue[1])).mean())
