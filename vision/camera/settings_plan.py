"""Decides when focus, exposure and white balance of a camera are locked, freed and corrected.

Devices carry out each `SettingsStep`. Time is counted in frames.
"""

from dataclasses import dataclass
from enum import Enum

LOCK_AFTER = 45
"""LOCK_AFTER: frames after which focus and exposure are locked, because the camera has found them. 3 s at 15 a
second."""
TOO_DARK, TOO_BRIGHT = 25.0, 235.0
"""TOO_DARK, TOO_BRIGHT: limits of a picture's mean grey level (0 to 255) outside of which its exposure is
wrong, whatever the markers show."""
CLIPPED, DIM = 250.0, 90.0
"""Limits for the grey level (0 to 255) of the white paper of printed markers. From CLIPPED on, cards are white
without print; below DIM, noise hides print."""
CONTRAST_LEAST = 60.0
"""CONTRAST_LEAST: least difference (grey levels, 0 to 255) between a marker's white and black. With less, from
haze or reflections, the picture is brightened."""
STEPS_MOST = 8
"""STEPS_MOST: most corrections of a locked exposure, each by a fifth or a quarter."""
READ_BACK_AFTER = 15
"""READ_BACK_AFTER: frames after a lock at which the settings are read back, because some drivers undo a
lock."""


class SettingsStep(Enum):
    """What a camera must do next with focus and exposure.

    White balance goes with exposure. DARKER: exposure times 0.8; BRIGHTER: times 1.25. READ_BACK: check that
    they are still locked.
    """

    LOCK = "lock focus, exposure and white balance"
    FREE = "set exposure and white balance free"
    REFOCUS = "set focus free"
    LOCK_FOCUS = "lock focus"
    DARKER = "expose a fifth less"
    BRIGHTER = "expose a quarter more"
    READ_BACK = "look whether everything is still locked"


@dataclass(frozen=True, slots=True)
class Exposure:
    """Grey levels (0 to 255) of black print and white paper in the camera's pictures."""

    black: float
    white: float

    @property
    def clipped(self) -> bool:
        """True if white paper is too bright to show print."""
        return self.white >= CLIPPED

    @property
    def dim(self) -> bool:
        """True if white paper is too dark, or hardly brighter than black print."""
        return self.white < DIM or self.white - self.black < CONTRAST_LEAST


class SettingsPlan:
    """Plan of when a camera locks, frees and corrects settings.

    It is made for one opened camera. `look` must be called with every frame; the other methods may be called
    from any thread. `locked`: whether exposure is locked.
    """

    def __init__(self) -> None:
        self.locked = False
        self._frames = 0  # since exposure was locked or set free
        self._focus_frames: int | None = None  # since focus was set free, once it was locked
        self._refocus = False
        self._exposure: Exposure | None = None
        self._corrections = 0
        self._read_back = False

    def refocus(self) -> None:
        """Have the camera focus again at the next frame: it was moved, or pictures became soft."""
        self._refocus = True

    def judge(self, exposure: Exposure) -> None:
        """Note the grey levels of markers, for later corrections."""
        self._exposure = exposure

    def look(self, level: float) -> SettingsStep | None:
        """Count one frame; return what the camera must do now.

        Mostly None. `level`: mean grey level (0 to 255) of the frame.
        """
        self._frames += 1
        step = self._focus_step()
        if step is not None or self._frames < READ_BACK_AFTER:
            return step
        fits = TOO_DARK <= level <= TOO_BRIGHT
        if not self.locked:
            if fits and self._frames >= LOCK_AFTER:
                self._restart(locked=True)
                self._corrections = 0
                return SettingsStep.LOCK
            return None
        if not fits and self._frames >= LOCK_AFTER:
            self._restart(locked=False)
            return SettingsStep.FREE
        return self._correction()

    def _focus_step(self) -> SettingsStep | None:
        if self._focus_frames is not None:
            self._focus_frames += 1
            if self._focus_frames >= LOCK_AFTER:
                self._focus_frames = None
                return SettingsStep.LOCK_FOCUS
        elif self._refocus and self.locked:
            self._refocus, self._focus_frames = False, 0
            return SettingsStep.REFOCUS
        return None

    def _correction(self) -> SettingsStep | None:
        """Choose the correction of a locked exposure by the last `judge`.

        None if nothing is wrong, or after 8 corrections. READ_BACK once after a lock.
        """
        seen, self._exposure = self._exposure, None
        if seen is not None and self._corrections < STEPS_MOST and (seen.clipped or seen.dim):
            self._corrections += 1
            self._frames = 0
            return SettingsStep.DARKER if seen.clipped else SettingsStep.BRIGHTER
        if self._read_back and self._focus_frames is None:  # focus that is set free is no lock taken back
            self._read_back = False
            return SettingsStep.READ_BACK
        return None

    def _restart(self, *, locked: bool) -> None:
        self.locked, self._frames, self._exposure, self._read_back = locked, 0, None, locked
