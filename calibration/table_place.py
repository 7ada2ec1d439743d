"""Finds the zones of the rig's table in a picture, with or without a mat."""

from calibration.wizard.setup_bench import SetupBench
from companion.core.language import text
from companion.sensing.camera_source import measured
from companion.sensing.vision_words import in_words
from vision.codes.sticker_set import Gray
from vision.mat.bare_table_tracking import seen_again
from vision.mat.mat_finder import register
from vision.mat.registration import Registration
from vision.mat.remembered_table import home_of

CORNER_NAMES = (text("far left"), text("far right"), text("near right"), text("near left"))
"""Names of a mat's four markers, clockwise, seen by people at the near side."""


@in_words()
def table_in(bench: SetupBench, gray: Gray) -> Registration | None:
    """Find the rig's table in a picture.

    The table may have no mat. None if the table is not in sight, or the picture has another size than at
    setup. A table without a mat lies where setup saw it. If spots of the cloth show that the camera moved
    since, the place is corrected.
    """
    if not bench.profile.home:
        return register(bench.mat, gray, measured=measured(bench.profile.lens))
    home = home_of(bench.profile.home, "the rig's table")
    there = home.registration
    if gray.shape != (there.height, there.width):
        return None
    return seen_again(home, gray) or there
