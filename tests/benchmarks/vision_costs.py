"""What watching costs: a table at rest, two cards put down by a hand, memory over many frames."""

import os
import resource
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.cheap_optics import TYPICAL, Plane, exposed
from tests.benchmarks.vision_readers import OURS
from tests.benchmarks.vision_scenes import FPS, SCENES, cards_of, grey, tags_of
from tests.benchmarks.vision_table import CameraView, Lying, dealt, table
from tests.benchmarks.vision_tally import ReaderTally
from vision.camera.frames import Frame
from vision.camera.jpeg_picture import JpegDecoder
from vision.codes.sticker_set import Gray
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import Seen, ZoneSeen

_SCENE = SCENES["cards-15mm-1080p"]
_EXPOSURES = 12
"""Different frames of a table at rest; they repeat."""
_PUTS = 4
_JPEG_QUALITY = 80
"""A frame of a full table then has 250 KB."""
_ARM_FRAMES = 45
_DRIFT = 0.2
"""Share of the light by which automatic exposure changes while a hand is in the picture: after gamma, a tenth
of the grey levels."""
_SKIN = 0.3
"""Reflectance of a hand."""
_HELD = 3
"""Frames that a hand holds a card before it lies."""
_WARM_UP = 40
"""Frames until the mat is found and all that lies there is read."""


class _Camera:
    """Feeds frames of one camera to one Vision."""

    def __init__(self, sticker_mm: float, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.cards = cards_of(_SCENE)
        self.view = CameraView.at_random(_SCENE.width, _SCENE.height, _SCENE.px_per_mm, self.rng)
        self.lying = dealt(self.cards, _SCENE.side_mm, self.rng)
        self._look = int(self.rng.integers(2**32))
        self._vision: Vision | None = None
        self._sticker_mm = sticker_mm
        self._jpegs = JpegDecoder()
        self._number = 0

    def light(self, lying: Sequence[Lying]) -> Plane:
        """The table with some of its cards, everything else the same."""
        there = table(lying, self.view, TYPICAL, np.random.default_rng(self._look))
        if self._vision is None:
            self._vision = Vision(there.mat, tags_of(self.cards), sticker_mm=self._sticker_mm)
        return there.light

    def shot(self, light: Plane) -> Gray:
        """One exposure."""
        return grey(exposed(light, TYPICAL, self.rng))

    def jpeg(self, light: Plane, gain: float = 0.85) -> bytes:
        """One exposure as a webcam sends it, in colour and compressed. `gain`: see `exposed`."""
        frame = exposed(light, replace(TYPICAL, jpeg=0), self.rng, gain)
        return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].tobytes()

    def feed(self, picture: Gray | bytes) -> list[Seen]:
        """What was reported for a grey picture, or for a JPEG, which is decoded as the live camera does it."""
        assert self._vision is not None
        self._jpegs.still = self._vision.still
        image = self._jpegs(picture) if isinstance(picture, bytes) else picture
        frame = Frame(self._number / FPS, image)
        self._number += 1
        return self._vision.feed(frame)


def still(frames: int, seed: int) -> ReaderTally:
    """A full table at rest for `frames` frames; `memory_mb` is what was added after the first tenth."""
    camera = _Camera(_SCENE.side_mm, seed)
    light = camera.light(camera.lying)
    shots = [camera.shot(light) for _ in range(_EXPOSURES)]
    for number in range(_WARM_UP):
        camera.feed(shots[number % _EXPOSURES])
    tally = ReaderTally("still-1080p", OURS)
    before = _resident_mb()
    for number in range(frames):
        if number == frames // 10:
            before = _resident_mb()
        tally.timed(partial(camera.feed, shots[number % _EXPOSURES]))
    tally.frames = frames
    tally.extra = {"memory_mb": round(_resident_mb() - before, 1)}
    return tally


def two_cards(seed: int) -> ReaderTally:
    """A hand puts two cards down, several times. Timed are the frames from rest until both are reported.

    `frames_to_sighting` is the worst count of frames, the first one without the hand counted as one.
    """
    tally = ReaderTally("two-cards-1080p", OURS)
    latest = 0
    for put in range(_PUTS):
        camera = _Camera(_SCENE.side_mm, seed + put)
        # The last ones: whatever was drawn by chance before them is the same without them.
        fresh = camera.lying[-2:]
        without = camera.light([one for one in camera.lying if one not in fresh])
        full = camera.light(camera.lying)
        for _ in range(_WARM_UP):
            camera.feed(camera.shot(without))
        for step in range(6):
            camera.feed(camera.shot(_hand(full if step >= 3 else without, camera.view, fresh, step)))
        wanted = {one.tag for one in fresh}
        seen: set[str] = set()
        count = 0
        while not wanted <= seen and count < FPS:
            events = tally.timed(partial(camera.feed, camera.shot(full)))
            count += 1
            for event in events:
                if isinstance(event, ZoneSeen):
                    seen |= {card.code for card in event.cards}
        tally.shown += len(wanted)
        tally.found += len(wanted & seen)
        tally.frames += count
        latest = max(latest, count)
    tally.reads = tally.found
    tally.extra = {
        "frames_to_sighting": latest,
        "ms_max": round(max(tally.milliseconds), 2),
        "cpu_ms_max": round(max(tally.processor), 2),
    }
    return tally


def idle(frames: int, seed: int) -> ReaderTally:
    """A full table at rest, decoding included."""
    camera = _Camera(_SCENE.side_mm, seed)
    light = camera.light(camera.lying)
    shots = [camera.jpeg(light) for _ in range(_EXPOSURES)]
    _warm_up(camera, shots)
    tally = ReaderTally("idle-jpeg", OURS)
    for number in range(frames):
        tally.timed(partial(camera.feed, shots[number % _EXPOSURES]))
    tally.frames = frames
    return tally


def one_card(seed: int) -> ReaderTally:
    """A hand puts one card down, several times. Timed are the frames from rest until it is reported, decoding
    included."""
    tally = ReaderTally("one-card-jpeg", OURS)
    for put in range(_PUTS):
        camera = _Camera(_SCENE.side_mm, seed + put)
        fresh = camera.lying[-1:]
        without, full = camera.light(camera.lying[:-1]), camera.light(camera.lying)
        _warm_up(camera, [camera.jpeg(without) for _ in range(_EXPOSURES)])
        for step in range(6):
            camera.feed(camera.jpeg(_hand(full if step >= _HELD else without, camera.view, fresh, step)))
        seen: set[str] = set()
        count = 0
        while fresh[0].tag not in seen and count < FPS:
            events = tally.timed(partial(camera.feed, camera.jpeg(full)))
            seen |= {card.code for event in events if isinstance(event, ZoneSeen) for card in event.cards}
            count += 1
        tally.frames += count
        tally.shown += 1
        tally.found += fresh[0].tag in seen
    return tally


def hands(seed: int) -> ReaderTally:
    """An arm moves about over a full table without a pause, and no card is moved; decoding included."""
    return _under_an_arm("hands-jpeg", seed, 0.0)


def exposure(seed: int) -> ReaderTally:
    """The same while automatic exposure follows the arm by a tenth, and back."""
    return _under_an_arm("exposure-jpeg", seed, _DRIFT)


def _under_an_arm(name: str, seed: int, drift: float) -> ReaderTally:
    camera = _Camera(_SCENE.side_mm, seed)
    light = camera.light(camera.lying)
    _warm_up(camera, [camera.jpeg(light) for _ in range(_EXPOSURES)])
    tally = ReaderTally(name, OURS)
    for step in range(_ARM_FRAMES):
        turn = 2 * np.pi * step / _ARM_FRAMES
        x, y = 480 + 250 * float(np.sin(2 * turn)), 300 + 120 * float(np.cos(turn))
        centre = replace(camera.lying[0], x=x, y=y)
        gain = 0.85 * (1 - drift * np.sin(turn / 2))
        shot = camera.jpeg(_hand(light, camera.view, [centre], 0), float(gain))
        events = tally.timed(partial(camera.feed, shot))
        tally.wrong += sum(isinstance(event, ZoneSeen) for event in events)
    tally.frames = _ARM_FRAMES
    return tally


def _warm_up(camera: _Camera, shots: Sequence[bytes]) -> None:
    for number in range(_WARM_UP):
        camera.feed(shots[number % len(shots)])


def _hand(light: Plane, view: CameraView, fresh: Sequence[Lying], step: int) -> Plane:
    """The table under an arm that reaches from the near edge to the fresh cards, a little farther each step."""
    matrix = view.matrix(960, 540)
    spots = cv2.perspectiveTransform(np.array([[(one.x, one.y) for one in fresh]]), matrix)[0]
    x, y = spots.mean(axis=0) + np.array([6 * step, -4 * step])
    covered = light.copy()
    arm = np.array([(x - 90, y), (x + 90, y), (x + 60, view.height), (x - 60, view.height)])
    cv2.fillConvexPoly(covered, arm.astype(np.int32), _SKIN)
    return covered


def _resident_mb() -> float:
    """Memory in use now; where the system does not say, the most that ever was."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
