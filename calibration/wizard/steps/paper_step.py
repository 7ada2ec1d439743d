"""Setup step: four printed corner cards on a cloth, with sentences on what the camera sees."""

from collections.abc import Callable

import cv2
import numpy as np

from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import LayPaper
from calibration.wizard.step_result import Check, StepResult, Verdict, result_of, skipped
from calibration.wizard.steps.camera_step import why_not_found
from calibration.wizard.steps.find_parts import camera_there
from companion.core.config import Fingerprints
from companion.core.language import text
from companion.sensing.camera_source import measured
from companion.sensing.vision_words import in_words
from vision.camera.camera_identity import camera_fingerprint
from vision.camera.frames import Frame
from vision.codes.sticker_set import Gray
from vision.mat.mat_finder import Registration, register

NAME = "paper"
LOOK_S = 0.7
"""Least time (s) between two searches for corner cards; one takes up to 0.3 s on a core."""
LIGHTER, DARKER = 1.6, 0.35
"""Grey levels of white paper and of black print, as multiples of the cloth's.

On 16 drawn tables a bare cloth reached 1.3 and 0.4, blurred cards on a dark cloth at least 1.9. For a white
cloth they are a guess.
"""
ASKED_MOST = 20
"""ASKED_MOST: number of times that the person may say that the cards lie there before the step ends. A
guess."""


def lay_paper(bench: SetupBench, print_paper: Callable[[], str]) -> StepResult:
    """Watch until all four printed corner cards are in sight; the result counts them.

    `print_paper` writes the PDF with the corner cards and returns its path. It is called only if cards are
    missing.
    """
    if bench.devices.refused is not None:
        bench.devices.use_camera(bench.devices.specs[0])  # it may be plugged in or free by now
    there = camera_there(bench)
    frame = bench.live.frame
    blind = any(check.verdict in (Verdict.NOT_GOOD, Verdict.NOT_TESTED) for check in there)
    if blind or frame is None or bench.devices.camera is None:
        return result_of(NAME, there)
    spec, known = bench.devices.specs[0], bench.profile.fingerprints
    marks = Fingerprints(camera_fingerprint(spec, bench.devices.camera), known.board)
    bench.update(camera=spec or bench.profile.camera, fingerprints=marks)
    watch = _Watch(bench)
    watch.look(frame)
    file = "" if watch.whole else print_paper()
    asked = 0
    while not watch.whole and asked < ASKED_MOST:
        asked += 1
        wide, deep = round(bench.mat.w / 10), round(bench.mat.h / 10)
        if not bench.ask(LayPaper(file, wide, deep), watch.glance):
            return skipped(NAME, text("four cards of the game tell where everything lies"))
        if (frame := bench.frame()) is not None:
            watch.look(frame)
    return result_of(NAME, [watch.check, *there])


class _Watch:
    """Watch for the four corner cards on the cloth.

    It keeps the latest check, tells the person what is missing, and outlines the cards on screens.
    """

    def __init__(self, bench: SetupBench) -> None:
        self._bench = bench
        self._looked = float("-inf")
        self.whole = False
        """Whether all corner cards lie in sight, and tell where everything is."""
        self.check = Check(NAME, Verdict.NOT_GOOD, 0, "cards")

    def glance(self, frame: Frame) -> None:
        """Search a picture for the corner cards, at most every 0.7 s."""
        if self._bench.clock.now() - self._looked >= LOOK_S:
            self.look(frame)

    def look(self, frame: Frame) -> None:
        """Search a picture for the corner cards; tell the person what is missing."""
        bench, all_of = self._bench, len(self._bench.mat.markers)
        with in_words():
            found = register(bench.mat, frame.gray, measured=measured(bench.profile.lens))
        self.whole = found is not None and found.markers == all_of
        if found is not None and self.whole:
            self._found(found, all_of)
        else:
            bench.live.marks = ()
            self.check = self._missing(frame.gray)
            bench.say(text("{what}: {next_step}.", what=self.check.said, next_step=self.check.fix))
        self._looked = bench.clock.now()

    def _missing(self, gray: Gray) -> Check:
        """Check that says why the corner cards are not found.

        A smooth cloth has no sharp edges, so it is not called blurred unless paper stands out on it.
        """
        check = why_not_found(self._bench, gray)
        smooth = check.fault == "soft lens" and not _stands_out(gray)
        if smooth or (check.fault == "mat not whole" and not check.number):
            said = text("no corner card is in sight")
            fix = text("lay them where the camera sees them, words towards you")
            return Check(NAME, Verdict.NOT_GOOD, 0, "cards", said, fix, "mat not whole")
        return check

    def _found(self, found: Registration, all_of: int) -> None:
        self._bench.outline_mat(found)
        said = text("all {all} corner cards are in sight", all=all_of)
        self.check = Check(NAME, Verdict.GOOD, all_of, "cards", said)
        self._bench.say(
            text("All {all} corner cards are in sight. The lines show where cards lie.", all=all_of)
        )


def _stands_out(gray: Gray) -> bool:
    """True if something much lighter or darker than the cloth lies on it, such as printed paper."""
    soft = cv2.GaussianBlur(gray, (0, 0), 2.0)
    dark, cloth, light = np.percentile(soft[::2, ::2], (0.3, 50, 99.7))
    return bool(light >= LIGHTER * cloth or dark <= DARKER * cloth)
