"""Drawings of a rig's mechanical parts, as sheets."""

from calibration.drawings.arm_plan import arm_plans
from calibration.drawings.pad_plan import pad_plan
from calibration.drawings.station_plans import station_plans
from calibration.sheets.sheet_shapes import Sheet
from vision.mat_geometry import Mat

TITLE = "Drawings of a rig"


def rig_plans(mat: Mat) -> list[Sheet]:
    """Draw all mechanical parts, in the order of the guide: arm, pad, stations."""
    return [*arm_plans(mat), pad_plan(), *station_plans(mat)]
