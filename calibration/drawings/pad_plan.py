"""Drawing of the pad: strips, tag reader, card, layers."""

from calibration.drawings.plan import Plan
from calibration.drawings.sizes import (
    CARD_AT,
    COIL,
    FIELD_AT,
    FOIL,
    PAD_H,
    PAD_THICK,
    PAD_W,
    READER_AT,
    READER_H,
    READER_W,
    At,
    Hole,
)
from calibration.sheets.sheet_shapes import Sheet
from firmware.pad_sizes import (
    CARD_H,
    CARD_W,
    FIELD,
    PITCH,
    RAISED_FROM_END,
    STRIP_W,
    STRIPS,
    TAG,
    TAG_FROM_END,
)

_LAYERS = (
    ("cover: paper or film, 0.5 mm at most, the upper strips glued below it", 0.5),
    ("16 strips of copper tape, from left to right (rows)", 0.1),
    (f"pressure foil (Velostat), {FIELD:g} x {FIELD:g} mm, loose: no glue", 0.1),
    ("16 strips of copper tape, from far to near (columns)", 0.1),
    ("stiff plate of card, 1.5 mm, beside the tag reader: so both are level", 1.5),
    (f"base of plywood, {PAD_THICK:g} mm, with an opening for the reader", PAD_THICK),
)
"""Layers of the pad from top to bottom, each with its thickness (mm)."""
_SLEEVE = 2.0
"""Width (mm) by which a sleeve stands out at each side of its card, with a little play. A guess."""
_STUB = 10.0
"""Length (mm) to which the ends of copper strips are drawn; whole ones would hide the card."""
_TALLER = 5.0
"""Factor by which heights are enlarged in the drawn cross-section."""


def pad_plan() -> Sheet:
    """Draw the pad, seen from above and in cross-section."""
    plan = Plan("pad", "Pad: strips, tag reader, and how a card lies", 1.0)
    plan.told(
        "Full size. Reader and strips lie side by side: copper above the reader's coil would shield it. The "
        "rig that judges has the reader and the stops alone; base and card lie in the same places. The opening "
        "goes on to the far edge, for the reader's pins."
    )
    plan.origin(35, 50)
    plan.box(0, 0, PAD_W, PAD_H)
    plan.across(0, PAD_W, -4)
    plan.down(0, PAD_H, PAD_W + 4)
    for number in range(STRIPS):
        along = FIELD_AT.x + PITCH * number + (PITCH - STRIP_W) / 2
        for y in (FIELD_AT.y, FIELD_AT.y + FIELD - _STUB):
            plan.box(along, y, STRIP_W, _STUB, dashed=True)
    plan.box(*FIELD_AT, FIELD, FIELD)
    plan.box(*READER_AT, READER_W, READER_H)
    plan.box(READER_AT.x, 0, READER_W, READER_AT.y, dashed=True)
    coil = At(READER_AT.x, READER_AT.y + READER_H - COIL)
    plan.box(*coil, COIL, COIL, dashed=True)
    plan.words(READER_AT.x + READER_W / 2, READER_AT.y + 5, "tag reader", "its pins here", middle=True)
    plan.box(*CARD_AT, CARD_W, CARD_H)
    tag = Hole(CARD_AT.x + CARD_W - TAG_FROM_END, CARD_AT.y + CARD_H / 2, TAG)
    plan.hole(tag)
    plan.words(tag.x, tag.y - 4, "tag", middle=True)
    raised = CARD_AT.x + RAISED_FROM_END
    plan.hole(Hole(raised, tag.y, 2.0))
    plan.words(raised, tag.y - 4, "middle of the raised picture", middle=True)
    plan.words(CARD_AT.x + 2, CARD_AT.y + 5, f"card, {CARD_W:g} x {CARD_H:g}")
    for x, y, w, h in _stops():
        plan.box(x, y, w, h)
    plan.box(READER_AT.x + 5, PAD_H - 20, FOIL, 18, dashed=True)
    plan.words(READER_AT.x + 20, PAD_H - 11, "foil of the electrode,", f"{FOIL:g} x 18", middle=True)
    plan.across(CARD_AT.x, raised, CARD_AT.y + CARD_H - 8)
    plan.across(tag.x, CARD_AT.x + CARD_W, CARD_AT.y + CARD_H - 8)
    plan.across(FIELD_AT.x, FIELD_AT.x + FIELD, PAD_H + 6)
    plan.across(READER_AT.x, READER_AT.x + READER_W, PAD_H + 6)
    plan.note(
        0,
        PAD_H + 19,
        f"Strips: {STRIPS} of {STRIP_W:g} mm each way, one every {PITCH:g} mm. Small stops of card hold a "
        "sleeve's corners: the card then always lies with its tag above the coil, and its raised picture "
        "above the strips.",
    )
    _cut(plan)
    return plan.sheet()


def _stops() -> list[tuple[float, float, float, float]]:
    """Stops around a card's corners on the pad: (left, top, width, height) in mm each."""
    long, thin = 10.0, 2.0
    x0, y0 = CARD_AT.x - _SLEEVE, CARD_AT.y - _SLEEVE
    x1, y1 = CARD_AT.x + CARD_W + _SLEEVE, CARD_AT.y + CARD_H + _SLEEVE
    return [
        (x0 - thin, y0 - thin, long, thin),
        (x0 - thin, y1, long, thin),
        (x1 + thin - long, y0 - thin, long, thin),
        (x1 + thin - long, y1, long, thin),
        (x1, y0, thin, long),
        (x1, y1 - long, thin, long),
    ]


def _cut(plan: Plan) -> None:
    """Draw the pad's cross-section: all layers, heights enlarged by `_TALLER`."""
    plan.words(
        0, PAD_H + 32, f"The layers, cut from left to right: heights are {_TALLER:g} times larger.", size=8.5
    )
    y = PAD_H + 42.0
    for number, (said, thick) in enumerate(_LAYERS):
        high = max(1.2, thick * _TALLER)
        base = number == len(_LAYERS) - 1
        cover = number == 0
        left, right = (0.0, PAD_W) if base or cover else (FIELD_AT.x, FIELD_AT.x + FIELD)
        plan.box(left, y, right - left, high)
        plan.pointed(left + 20, y + high / 2, left + 20, y + high / 2, "")
        plan.words(0, PAD_H + 95 + 5 * number, f"{number + 1}  {said}")
        plan.words(-6, y + high / 2 + 0.9, str(number + 1))
        y += high + 1.6
    top = PAD_H + 42.0 + 0.5 * _TALLER + 1.6
    plan.box(READER_AT.x, top, READER_W, y - 1.6 - top, dashed=True)
    plan.words(READER_AT.x + READER_W / 2, top + 9, "tag reader, parts down", middle=True)
