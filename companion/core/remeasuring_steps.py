"""Step of `companion setup` that measures a sensor anew."""

from companion.core.language import localized, text

LENS_HELP = text("measure the lens anew: companion setup lens")
"""Help if the camera's lens is not the measured one, or bends lines too much."""


def mending_step(source: str, detail: str = "") -> str:
    """Command of `companion setup` that measures a faulty sensor again. "" if none does.

    `source`: the sensor's name in journals. `detail`: the sentence on its fault.
    """
    if LENS_HELP in detail or localized(LENS_HELP) in detail:  # a screen has it in its reader's language
        return "lens"
    return next((step for word, step in _MENDED_BY if word in source), "")


_MENDED_BY = (
    ("stickers", "cards"),
    ("camera", "camera"),
    ("lamp", "camera"),
    ("scale", "stations"),
    ("electrode", "stations"),
    ("touch", "stations"),
    ("button", "stations"),
    ("pressure matrix", "texture"),
    ("reader", "tags"),
    ("tags", "tags"),
    ("board", "find"),
)
"""Word in a sensor's name -> step of `companion setup` that measures it. The first match counts."""
