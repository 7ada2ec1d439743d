"""Which step of `companion setup` measures a sensor anew."""


def mending_step(source: str) -> str:
    """The step of `companion setup` that measures a sensor anew; empty if none does."""
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
