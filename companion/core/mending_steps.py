"""Which step of `companion setup` measures a sensor anew."""

from companion.core.language import localized, text

LENS_HELP = text("measure the lens anew: companion setup lens")
"""LENS_HELP: what helps against a lens that is not the one that was measured, or bends lines too much."""


def mending_step(source: str, detail: str = "") -> str:
    """The step of `companion setup` that measures a sensor anew; empty if none does. `detail`: what fails."""
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
"""A word in a sensor's name -> the setup step that measures it; the first that fits counts."""
