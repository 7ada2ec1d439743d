"""Live values of a camera: rate, light, sharpness, markers."""

from collections import deque
from typing import Any

from calibration.watch.bench_tests import BenchResult, Measured
from calibration.wizard.steps.camera_step import BLURRED_PX
from companion.core.clock import Clock
from companion.core.language import localized, text, tr
from companion.sensing.vision_words import words_of
from vision.camera.frames import Camera, Frame
from vision.mat.marker_quality import sharpest_edges_px
from vision.mat.mat_finder import markers_in_sight

RATE = (8.0, 61.0)
"""Range of pictures per second of a good camera. A guess.

With fewer, movements of hands are missed.
"""
LIGHT = (50.0, 215.0)
"""Range of the mean grey level (0 to 255) of a table in lamp light. A guess."""
EDGES_PX = (0.5, BLURRED_PX)
"""Range of the width (px) of a picture's sharpest edges when the camera is in focus.

On the virtual table it is 3.5 over a printed mat, and 7.9 out of focus.
"""
WINDOW_S, LOOK_S = 3.0, 0.7
"""WINDOW_S: time (s) over which pictures are counted for the rate. LOOK_S: least time (s) between two

pictures that are measured. Guesses.
"""
FIRST_S = 10.0
"""Longest wait (s) for the camera's first picture. A guess."""


class CameraValues:
    """Live values of one camera: rate, light, sharpness, number of markers in sight.

    Call `look` often. `light`: mean grey level (0 to 255). `edges_px`: width of the sharpest edges (px). Both
    are None before the first picture.
    """

    def __init__(self, camera: Camera, clock: Clock) -> None:
        self._camera, self._clock = camera, clock
        self._times: deque[float] = deque()
        self._looked = float("-inf")
        self.light: float | None = None
        self.edges_px: float | None = None
        self.markers = 0

    def look(self) -> None:
        """Read the camera's newest picture; measure one every 0.7 s."""
        frame, now = self._camera.read(), self._clock.now()
        if frame is not None:
            self._times.append(now)
            if now - self._looked >= LOOK_S:
                self._looked = now
                self._measure(frame)
        while self._times and self._times[0] < now - WINDOW_S:
            self._times.popleft()

    def _measure(self, frame: Frame) -> None:
        gray = frame.gray
        self.light = float(gray.mean())
        self.edges_px = sharpest_edges_px(gray)
        self.markers = len(markers_in_sight(gray))

    @property
    def rate_hz(self) -> float:
        """Pictures a second (last 3 s); 0.0 without pictures."""
        passed = self._times[-1] - self._times[0] if len(self._times) > 1 else 0.0
        return (len(self._times) - 1) / passed if passed else 0.0

    @property
    def fault(self) -> str:
        """Sentence on what is wrong with the camera's picture; "" for a good one."""
        if self.light is None or not self._times:
            return words_of(self._camera.state.detail) if not self._camera.state.ok else text("no picture")
        wrong = next((one for one in self.numbers() if not one.ok), None)
        return "" if wrong is None else wrong.said

    def numbers(self) -> list[Measured]:
        """Rate, light and sharpness of the camera, with the ranges of the bench test."""
        return [
            Measured(text("pictures a second"), self.rate_hz, *RATE),
            Measured(text("mean light"), self.light or 0.0, *LIGHT),
            Measured(text("width of the sharpest edges"), self.edges_px or 0.0, *EDGES_PX, " px"),
        ]

    def line(self) -> str:
        """Line of text with all values of the camera, and its fault if there is one."""
        info = self._camera.info
        if self.light is None:
            return tr("camera: {fault}", fault=self.fault)
        shown = tr(
            "camera: {size}, {rate} pictures a second, light {light}, edges {edges} px, {markers} markers",
            size=f"{info.width} x {info.height}",
            rate=f"{self.rate_hz:.1f}",
            light=f"{self.light:.0f}",
            edges=f"{self.edges_px or 0:.1f}",
            markers=self.markers,
        )
        return f"{shown}: {localized(self.fault)}" if self.fault else shown

    def plain(self) -> dict[str, Any]:
        """All values of the camera, for JSON."""
        info = self._camera.info
        return {
            "part": "camera",
            "width": info.width,
            "height": info.height,
            "rate_hz": round(self.rate_hz, 1),
            "light": None if self.light is None else round(self.light, 1),
            "edges_px": None if self.edges_px is None else round(self.edges_px, 2),
            "markers": self.markers,
            "ok": not self.fault,
            "fault": str(self.fault),
        }

    def watch(self, seconds: float) -> None:
        """Look at the camera again and again for `seconds`."""
        until = self._clock.now() + seconds
        while self._clock.now() < until:
            self.look()
            self._clock.sleep(0.01)

    def test(self) -> BenchResult:
        """Make the bench test of the camera; return its result.

        The camera must look at something printed, in the light of the evening.
        """
        until = self._clock.now() + FIRST_S
        while self.light is None and self._clock.now() < until:
            self.watch(0.1)
        self.watch(WINDOW_S)
        result = BenchResult("camera", "camera")
        if self.light is None:
            result.fault = self.fault
            return result
        result.numbers = self.numbers()
        if (self.edges_px or 0.0) > BLURRED_PX:
            result.note = text("lay something printed below it, and let it focus")
        return result
