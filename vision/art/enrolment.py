"""Enrols a still card by its art from a camera."""

from vision.art.art_match import ArtView
from vision.art.art_recogniser import enrol
from vision.camera.frames import Camera
from vision.clock import Clock
from vision.errors import CameraError, UnusableError
from vision.reasons import Simple

_PATIENCE_S = 20.0
"""_PATIENCE_S: how long (s) to wait for a card that lies still."""


_STILL = 3
"""_STILL: number of frames in a row that must show the same card before it is enrolled."""


_PAUSE_S = 0.2


_SAME = 0.9
"""_SAME: least correlation of two consecutive frames of a card that lies still."""


def still_view(name: str, camera: Camera, clock: Clock) -> ArtView:
    """Wait for a card that lies still under a camera, and enrol it under `name`.

    Returns its view. CameraError if no card lies still within 20 s, or the camera ends.
    """
    until, alike = clock.now() + _PATIENCE_S, 0
    last: ArtView | None = None
    while clock.now() < until and not camera.finished:
        frame = camera.read()
        if frame is not None:
            try:
                view = enrol(name, frame.image)
            except UnusableError:
                view = None
            same = view is not None and last is not None and float(view.coarse @ last.coarse) > _SAME
            alike, last = (alike + 1 if same else 1), view
            if view is not None and alike >= _STILL:
                return view
        clock.sleep(_PAUSE_S)
    raise CameraError(Simple.NO_CARD_LAY_STILL, camera.state.detail)
