"""Page of the build guide with six wrong camera views, rendered on the virtual table."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.virtual_rig.rig_defects import defect
from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.step_result import Check, Verdict
from calibration.wizard.steps.camera_step import check_camera
from companion.games.registry import DEFAULT_GAME, load_game
from vision.codes.sticker_set import Gray

SEED, VARIANT = 3, "basic"
WIDTH, HEIGHT, QUALITY = 640, 360, 80
"""Width and height (px) and JPEG quality of the pictures on the page."""


@dataclass(frozen=True, slots=True)
class View:
    """Wrong view of the camera, and its `cure`.

    `file`: name of its picture, without suffix. `defect`: name of the virtual rig's defect that causes it.
    """

    file: str
    defect: str
    title: str
    cure: str


VIEWS = (
    View("view-low", "camera too low", "Too low, or the mat cut off",
         "Move the boom up by a hole or two, until a hand of table shows on either side of the mat. If one "
         "side alone is "
         "cut off, move the arm's foot."),
    View("view-tilted", "tilted camera", "Tilted",
         "Move the foot until the camera hangs over the middle of the mat. Then turn it in its slot until "
         "near and far "
         "edge of the mat look equally long."),
    View("view-blurred", "soft lens", "Out of focus",
         "Wipe the lens. Lay a newspaper on the mat, focus on it by hand, and lock the focus: "
         "`v4l2-ctl -c focus_automatic_continuous=0 -c focus_absolute=N`."),
    View("view-mirrored", "mirrored picture", "Mirrored",
         "Switch the mirror off in the camera's own program, or take another program's virtual camera away. "
         "No code can be "
         "read in a mirror."),
    View("view-glare", "glare", "A lamp in the mat",
         "Move the lamp to the side until the camera no longer sees it. A shade, or a sheet of paper before "
         "it, does as "
         "well."),
    View("view-dark", "too dark", "Too dark",
         "Switch a lamp on, or let the camera expose longer: "
         "`v4l2-ctl -c auto_exposure=1 -c exposure_time_absolute=N`."),
)  # fmt: skip
RIGHT = View("view-right", "", "As it should be", "")


def rendered(view: View) -> tuple[Gray, tuple[Check, ...]]:
    """Render a wrong view of the camera, and judge it as setup would.

    Returns the picture (grey, 640 x 360 px), and the bad checks of the setup's camera step.
    """
    table = VirtualSetup(
        DEFAULT_GAME, VARIANT, seed=SEED, noise="home", defect=defect(view.defect), has_board=False
    )
    bench = SetupBench(load_game(DEFAULT_GAME), VARIANT, table, table, table.clock)
    try:
        checks = check_camera(bench).checks
        frames = bench.frames(1)
    finally:
        table.close()
    wrong = tuple(check for check in checks if check.verdict in (Verdict.NOT_GOOD, Verdict.USABLE))
    small = cv2.resize(frames[0].gray, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), wrong


def said(checks: tuple[Check, ...]) -> str:
    """Text that setup shows for a wrong view of the camera, with next steps, in English.

    `checks`: the bad checks.
    """
    return " ".join(f"*{one.said}*; next step: *{one.fix}*" for one in checks)


def section(view: View, checks: tuple[Check, ...]) -> str:
    """Markdown section of the page about one wrong view.

    `checks`: the bad checks found in it.
    """
    picture = f"![{view.title}](views/{view.file}.jpg)"
    return f"## {view.title}\n\n{picture}\n\nThe set-up says: {said(checks)}.\n\n{view.cure}\n"


_HEAD = """# Six wrong views of the camera

So it should look, over an empty mat: all four corner markers, a hand of table on either side, near and far edge
equally long, sharp, and no lamp in it.

![As it should be](views/view-right.jpg)

Pictures are of the virtual table, sentences of the set-up:
`companion setup camera --table virtual --auto --defect "tilted camera"`.
`companion doctor --camera 0` names all of them but the lamp, which might be a white card.

<!-- Written by make docs: calibration/guide/camera_views.py. -->
"""


def page(checks: dict[str, tuple[Check, ...]]) -> str:
    """Page of all wrong views, as Markdown.

    `checks`: file name of a view -> the bad checks found in it.
    """
    return f"{_HEAD}\n" + "\n".join(section(view, checks[view.file]) for view in VIEWS)
