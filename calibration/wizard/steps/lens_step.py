"""Setup step: measure the camera's lens with a printed sheet."""

from calibration.lens_calibration import VIEWS_LEAST, PlaneView, mat_view, measure_lens, sheet_view
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import ClearTable, LayLensSheet
from calibration.wizard.step_result import Check, StepResult, Verdict, rate, result_of, skipped
from companion.core.config import LensConfig
from companion.core.language import text

NAME = "lens"
VIEWS, TILTED = 4, 2
"""VIEWS: number of pictures of the sheet, each in another place; seven were no more exact (simulated).

TILTED: how many of them have one edge of the sheet raised, which gives the focal length.
"""
GOOD_MM, USABLE_MM = 0.5, 1.0
"""Greatest rms residuals (mm) of a good, or usable, lens.

The module (small square) of a sticker has 0.8 mm.
"""
TRIES = 3
"""Number of pictures that are tried for one view of the sheet. A guess."""


def measure(bench: SetupBench) -> StepResult:
    """Measure the lens from views of the printed sheet, and save it in the profile.

    Without the sheet, the lens is estimated from the corners of the mat.
    """
    info = bench.devices.camera
    if info is None:
        return skipped(NAME, text("no camera"), text("plug one in, then: companion setup lens"))
    bench.ask(ClearTable())
    frame = bench.frame()
    mat = None if frame is None else mat_view(bench.mat, frame.gray)
    views: list[PlaneView] = []
    for number in range(1, VIEWS + 1):
        if not bench.ask(LayLensSheet(number, VIEWS, number > VIEWS - TILTED)):
            break
        view = _view(bench)
        unseen = text("the sheet is not seen: is it whole in the picture?")
        bench.say(text("corners seen: {count}", count=len(view.px)) if view else unseen)
        if view is not None:
            views.append(view)
    if not views:
        fix = text("print it with: companion sheets --only lens")
        return skipped(NAME, text("no lens sheet: the lens is estimated from the corners of the mat"), fix)
    found = None if frame is None else measure_lens(views, frame.size[1], frame.size[0], mat)
    if found is None:
        said = text("views of the sheet: {count}; {least} are needed", count=len(views), least=VIEWS_LEAST)
        return result_of(
            NAME, [Check("lens", Verdict.USABLE, len(views), "views", said, text("show it again"))]
        )
    level = rate(found.rms_mm, GOOD_MM, USABLE_MM)
    lens = found.lens
    said = text(
        "views: {count}, {px} px, lines bent by {percent} %",
        count=found.views,
        px=round(float(found.rms_px), 2),
        percent=round(100 * float(lens.bent_by), 1),
    )
    flat = text("glue the sheet on cardboard: it has to be flat")
    if level is not Verdict.NOT_GOOD:
        bench.update(lens=LensConfig(lens.width, lens.height, lens.focal, lens.cx, lens.cy, lens.k))
    if level is Verdict.GOOD:
        check = Check("lens", level, round(found.rms_mm, 3), "mm", said)
    else:
        check = Check("lens", level, round(found.rms_mm, 3), "mm", said, flat, "bent lens sheet")
    return result_of(NAME, [check])


def _view(bench: SetupBench) -> PlaneView | None:
    for _ in range(TRIES):
        frame = bench.frame()
        view = None if frame is None else sheet_view(frame.gray)
        if view is not None:
            return view
    return None
