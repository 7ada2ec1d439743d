"""Decides when a camera's focus, exposure and white balance are locked, freed and corrected.

Devices carry the steps out; `SettingsStep` names them. Frames count, no time is kept here.
"""

from dataclasses import dataclass
from enum import Enum

LOCK_AFTER = 45
"""LOCK_AFTER: frames that a camera gets for focus and exposure before both are locked."""
TOO_DARK, TOO_BRIGHT = 25.0, 235.0
"""Mean grey levels beyond which an exposure is wrong, whatever the markers show."""
CLIPPED, DIM = 250.0, 90.0
"""Grey levels of the markers' white paper: from CLIPPED on, cards are white without print; below DIM, noise
hides print."""
CONTRAST_LEAST = 60.0
"""CONTRAST_LEAST: grey levels between the markers' black and white. Haze and reflections take it away."""
STEPS_MOST = 8
"""STEPS_MOST: corrections of a locked exposure, of a fifth each, before it is left as it is."""
READ_BACK_AFTER = 15
"""READ_BACK_AFTER: frames after which locked settings are read back: some drivers take them back."""


class SettingsStep(Enum):
    """What a device does next."""

    LOCK = "lock focus, exposure and white balance"
    FREE = "set exposure and white balance free"
    REFOCUS = "set focus free"
    LOCK_FOCUS = "lock focus"
    DARKER = "expose a fifth less"
    BRIGHTER = "expose a quarter more"
    READ_BACK = "look whether everything is still locked"


@dataclass(frozen=True, slots=True)
class Exposure:
    """Grey levels (0..255) of black print and white paper as the camera shows them."""

    black: float
    white: float

    @property
    def clipped(self) -> bool:
        return self.white >= CLIPPED

    @property
    def dim(self) -> bool:
        return self.white < DIM or self.white - self.black < CONTRAST_LEAST


class SettingsPlan:
    """The plan of one opened camera. `look` is called with every frame, the others from anywhere."""

    def __init__(self) -> None:
        self.locked = False
        self._frames = 0  # since exposure was locked or set free
        self._focus_frames: int | None = None  # since focus was set free, once it was locked
        self._refocus = False
        self._exposure: Exposure | None = None
        self._corrections = 0
        self._read_back = False

    def refocus(self) -> None:
        """The camera moved or its pictures softened: focus anew."""
        self._refocus = True

    def judge(self, exposure: Exposure) -> None:
        """What the markers' black and white look like now."""
        self._exposure = exposure

    def look(self, level: float) -> SettingsStep | None:
        """What to do after a frame of this mean grey level; mostly nothing."""
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
        """A locked exposure is corrected by what was judged since the last correction."""
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
