"""Judges focus and exposure by the mat's markers: corrects the camera, and says what it cannot correct."""

import math

from companion.core.language import text
from companion.sensing.observation import Health
from companion.sensing.parameters import PICTURE
from companion.sensing.vision_words import FOCUS_HELP
from vision.camera.frames import Adjustable, Camera, Frame, Live
from vision.camera.settings_plan import Exposure
from vision.scene.camera_reports import PictureQuality
from vision.scene.picture_faults import BLINDING, PictureFault, PictureFaults

_UNHELD = {
    "focus": text("the camera does not hold its focus: each hand may put the table out of focus"),
    "exposure": text("the camera does not hold its exposure: each hand changes the brightness"),
    "white balance": text("the camera does not hold its white balance: colours may drift"),
}
FAULT_WORDS = {
    PictureFault.BLACK: (
        text("the picture is black"),
        text("take the cover off the lens, or switch a lamp on"),
    ),
    PictureFault.FROZEN: (
        text("the picture stands still"),
        text("restart the camera, on a phone its app"),
    ),
    PictureFault.TORN: (
        text("only the upper part of the picture arrives"),
        text("restart the camera, try another cable or a better network"),
    ),
    PictureFault.UPRIGHT: (
        text("the picture is upright"),
        text("turn the camera so that the picture is wide, on a phone lay it across"),
    ),
    PictureFault.COARSE: (
        text("the picture is too small for cards"),
        text("choose 1280 x 720 or more in the camera's settings"),
    ),
    PictureFault.SLOW: (
        text("the camera gives too few pictures a second"),
        text("more light, a smaller picture, or a better network"),
    ),
    PictureFault.SWAPPED: (
        text("red and blue are exchanged in the picture"),
        text("choose another format of pictures in the camera's settings"),
    ),
}
"""Fault of a picture -> what it is called, and the next step."""


class PictureHealth:
    """Watches a camera's pictures: corrects focus and exposure if the camera can, and reports, once, what
    stays wrong."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._best = math.inf
        self._tries, self._tried_at = 0, -math.inf
        self._wrong_since: float | None = None
        self._said: dict[str, str] = {}
        self._refused: tuple[str, ...] = ()
        self._live = camera if isinstance(camera, Live) else None
        self._faults = PictureFaults(live=self._live is not None)
        self.blinded = ""
        """Fault for which all pictures are ignored now, in words. "" if pictures are believed."""

    def hear(self, signs: int) -> None:
        """Count signs of hands that other sensors gave; a frozen picture shows none of these hands.

        `signs`: number of new ones.
        """
        self._faults.hear(signs)

    def look(self, frame: Frame) -> list[Health]:
        """Search a frame for faults, e.g. black or frozen pictures.

        Sets `blinded` if pictures are worthless.

        Returns a report (source "picture") when any other fault begins or ends; else [].
        """
        found = self._faults.look(frame, self._live.rate_hz if self._live is not None else None)
        said: str = ""
        if found:
            what, next_step = FAULT_WORDS[found[0]]
            said = text("{what}; {next_step}", what=what, next_step=next_step)
        self.blinded = said if found and found[0] in BLINDING else ""
        detail = "" if self.blinded else said
        return [] if detail == self._said.get("picture", "") else self._say(frame.t, "picture", detail)

    def moved(self) -> None:
        """The camera was moved: forget the sharpest edges so far, and focus again."""
        self._best, self._tries = math.inf, 0
        self._refocus()

    def take(self, seen: PictureQuality) -> list[Health]:
        """Judge focus and exposure, measured at the mat's markers (`seen`), and correct the camera.

        Returns a report when a fault stays although it was corrected, or when it ends; else [].
        """
        return [*self._focus(seen), *self._exposure(seen)]

    def locks(self, t: float) -> list[Health]:
        """Report which of focus, exposure and white balance the camera changes by itself; [] if that is no
        news.

        `t`: time of the frame (s).
        """
        refused = self._camera.info.refused if isinstance(self._camera, Adjustable) else ()
        if refused == self._refused:
            return []
        self._refused = refused
        if not refused:
            return []
        detail: str = _UNHELD[refused[0]]
        for name in refused[1:]:
            detail = text("{what}; {next_step}", what=detail, next_step=_UNHELD[name])
        return [Health(round(t, 4), "camera settings", True, detail)]

    def _focus(self, seen: PictureQuality) -> list[Health]:
        width = seen.edge_px
        softened = width > PICTURE.softer * self._best and width > self._best + PICTURE.softer_px
        if width <= PICTURE.soft_px and not softened:
            self._best, self._tries = min(self._best, width), 0
            return self._say(seen.t, "focus", "")
        adjustable = isinstance(self._camera, Adjustable)
        if adjustable and self._tries < PICTURE.focus_tries:
            if seen.t - self._tried_at >= PICTURE.focus_every_s:
                self._tries, self._tried_at = self._tries + 1, seen.t
                self._refocus()
            return []
        if adjustable and seen.t - self._tried_at < PICTURE.focus_every_s:
            return []
        # The width in the text varies; it is said once.
        if "focus" in self._said:
            return []
        detail = text("the picture is out of focus (edges {width} px wide): {help}")
        if softened:
            detail = text("the picture is out of focus (edges {width} px wide, {best} before): {help}")
        found = {"width": round(width, 1), "best": round(self._best, 1)}
        return self._say(seen.t, "focus", detail.of(help=FOCUS_HELP, **found))

    def _exposure(self, seen: PictureQuality) -> list[Health]:
        exposure = Exposure(seen.black, seen.white)
        if isinstance(self._camera, Adjustable):
            self._camera.judge(exposure)
        if not exposure.clipped and not exposure.dim:
            self._wrong_since = None
            return self._say(seen.t, "exposure", "")
        self._wrong_since = seen.t if self._wrong_since is None else self._wrong_since
        if seen.t - self._wrong_since < PICTURE.exposure_s or "exposure" in self._said:
            return []
        if exposure.clipped:
            detail = text(
                "white paper is overexposed (level {white} of 255): less light, or "
                "v4l2-ctl -c exposure_time_absolute=N"
            )
        else:
            detail = text(
                "black and white differ too little (levels {black} and {white} of 255): more light, or "
                "v4l2-ctl -c exposure_time_absolute=N"
            )
        return self._say(seen.t, "exposure", detail.of(black=round(seen.black), white=round(seen.white)))

    def _refocus(self) -> None:
        if isinstance(self._camera, Adjustable):
            self._camera.refocus()

    def _say(self, t: float, source: str, detail: str) -> list[Health]:
        """Report the fault `detail` of `source`. "" reports its end, if it was reported before."""
        if not detail:
            return [Health(round(t, 4), source, True, "")] if self._said.pop(source, "") else []
        self._said[source] = detail
        return [Health(round(t, 4), source, False, detail)]
