"""Drawings of the camera's arm: the whole arm from the side, and its plates in full size."""

from calibration.camera_height import lens_heights as heights_of_lenses
from calibration.drawings.plan import Plan
from calibration.drawings.sizes import (
    BATTEN_W,
    BOOM,
    FOOT_D,
    FOOT_THICK,
    HEAD_H,
    HEAD_SLOT,
    HEAD_W,
    LENS_BELOW,
    MAT_TO_POST,
    POST,
    POST_FIRST,
    POST_STEP,
    POST_STEPS,
    TRIPOD_HOLE,
    At,
    Hole,
    gusset,
    head,
    lens_heights,
)
from calibration.sheets.sheet_shapes import Sheet
from vision.mat_geometry import Mat


def arm_plans(mat: Mat) -> list[Sheet]:
    """Draw the camera's arm on three sheets.

    The whole arm from the side, and its two plates in full size.
    """
    return [_whole(mat), _gusset(), _head()]


def _whole(mat: Mat) -> Sheet:
    plan = Plan("arm", "Arm for the camera, from the side", 0.15)
    lowest, highest = lens_heights()
    plan.told(
        "Scale 15 : 100, measures in mm. Battens of 48 x 28 mm; foot of plywood, 18 mm, 300 x 200, held by "
        f"two clamps at the table's edge. The boom moves in steps of {POST_STEP:g} mm: the lens hangs "
        f"{lowest / 10:.0f} to {highest / 10:.0f} cm above the table."
    )
    plan.origin(30, 62)
    top = 0.0
    boom_top = POST_STEP * 2
    table = top + POST + FOOT_THICK
    plan.box(0, top, BATTEN_W, POST)
    plan.box(BATTEN_W, boom_top, BOOM, BATTEN_W)
    outline, _ = gusset()
    plan.outline([At(p.x, p.y + boom_top) for p in outline], dashed=True)
    for n in range(POST_STEPS):
        plan.hole(Hole(BATTEN_W / 2, POST_FIRST + POST_STEP * n, 6.5))
    head_x = BATTEN_W + BOOM - HEAD_W
    plan.box(head_x, boom_top, HEAD_W, HEAD_H)
    middle = head_x + HEAD_W / 2
    lens = boom_top + LENS_BELOW
    plan.box(middle - 15, lens - 40, 30, 40)
    plan.pointed(middle + 15, lens - 20, middle + 60, lens - 20, "camera, its lens down")
    foot_left = -FOOT_D + BATTEN_W + 40
    plan.box(foot_left, table - FOOT_THICK, FOOT_D, FOOT_THICK)
    near = BATTEN_W + MAT_TO_POST
    plan.line(foot_left - 30, table, near + mat.h + 30, table)
    plan.line(near, table - 3, near + mat.h, table - 3)
    plan.words(near + mat.h / 2, table + 26, f"mat, {mat.h:g} from far to near", middle=True)
    plan.line(middle, lens, middle, table, dashed=True)
    plan.line(middle, lens, near, table, dashed=True)
    plan.line(middle, lens, near + mat.h, table, dashed=True)
    plan.across(BATTEN_W, near, table + 60)
    plan.across(near, middle, table + 60)
    plan.across(BATTEN_W, BATTEN_W + BOOM, boom_top - 14)
    plan.down(top, top + POST, -40)
    plan.down(lens, table, middle + 8, "as the camera's angle wants it")
    said = ", ".join(f"{one.cm} cm for {one.across_deg} degrees" for one in heights_of_lenses(mat))
    plan.words(
        foot_left,
        table + 100,
        "Least height of the lens, by the camera's angle across its picture:",
        f"{said}.",
    )
    plan.note(
        foot_left,
        table + 150,
        "The camera hangs over the middle of the mat: move the foot until it does. If the table is deeper "
        "than the mat, lengthen the boom by what lies between. The corner plates hold boom and post from "
        "both sides, with four bolts M6 x 60; two angle brackets hold the post on its foot. The boom bends "
        "by less than 0.1 mm below a camera of 300 g (a beam of spruce, 10 GPa). What shakes is the table.",
    )
    return plan.sheet()


def _gusset() -> Sheet:
    outline, holes = gusset()
    plan = Plan("arm-corner", "Arm: corner plate, two of it", 1.0)
    plan.told(
        "Full size; arm-corner.stl prints it, 8 mm thick, on a plate of 180 x 180 mm. From wood: plywood of "
        "9 mm. Holes of 6.5 mm. One lies on either side of boom and post."
    )
    plan.origin(16, 56)
    plan.outline(outline)
    for hole in holes:
        plan.hole(hole)
    side, batten = outline[1].x, outline[2].y
    plan.across(0, side, -3)
    plan.down(0, batten, side + 2)
    plan.down(0, side, -8)
    plan.across(0, batten, side + 6)
    post = [hole for hole in holes if hole.x < batten]
    boom = [hole for hole in holes if hole.x > batten]
    plan.across(0, boom[0].x, batten + 8)
    plan.across(boom[0].x, boom[1].x, batten + 8)
    plan.down(0, post[0].y, batten + 4)
    plan.down(post[0].y, post[1].y, batten + 4)
    plan.across(0, post[0].x, side - 8)
    plan.down(0, boom[0].y, boom[1].x + 8)
    plan.words(60, 16, "boom")
    plan.words(6, 110, "post")
    return plan.sheet()


def _head() -> Sheet:
    outline, holes = head()
    plan = Plan("arm-head", "Arm: plate that holds the camera", 1.0)
    plan.told(
        "Full size; arm-head.stl prints it, 8 mm thick. From wood: plywood of 9 mm. It is bolted to the "
        "boom's side and hangs below it. An angle bracket is bolted into the slot, below the boom; the "
        "camera's foot is screwed against its other leg, which faces the mat's near or far side: the lens "
        "looks down, and the long side of the picture lies along the mat."
    )
    plan.origin(40, 56)
    plan.outline(outline)
    for hole in holes:
        plan.hole(hole)
    middle = HEAD_W / 2
    low, high = HEAD_SLOT
    half = TRIPOD_HOLE / 2
    plan.hole(Hole(middle, low, TRIPOD_HOLE))
    plan.hole(Hole(middle, high, TRIPOD_HOLE))
    plan.line(middle - half, low, middle - half, high)
    plan.line(middle + half, low, middle + half, high)
    plan.line(0, BATTEN_W, HEAD_W, BATTEN_W, dashed=True)
    plan.words(2, BATTEN_W - 2, "boom, 48 high")
    plan.across(0, HEAD_W, -3)
    plan.down(0, HEAD_H, -9)
    plan.across(0, holes[0].x, 14)
    plan.across(holes[0].x, holes[1].x, 14)
    plan.down(0, holes[0].y, HEAD_W + 4)
    plan.down(0, low, HEAD_W + 14)
    plan.down(low, high, HEAD_W + 14)
    plan.pointed(middle + half, high, HEAD_W + 26, high + 8, f"slot, {TRIPOD_HOLE:g} wide: a bolt M6 x 25")
    plan.words(
        0,
        HEAD_H + 12,
        "A camera without a thread in its foot: two cable ties around its body and the bracket's leg.",
    )
    return plan.sheet()
