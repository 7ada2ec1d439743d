"""A bedstead from the side: stacked layers, and who lies on them awake, asleep or gone; in two sizes."""

from collections.abc import Mapping, Sequence
from functools import cache

from textual.content import Content

from companion.dashboard.themes import COLOURS, PLAIN
from companion.dashboard.widgets.pixels import CLEAR, laid_over, picture, scaled

_AWAKE = (
    "..Y..Y..Y......",
    "..YYYYYYY......",
    "..HHHHHHH......",
    ".HHSSSSSHH.....",
    ".HSESSSESH.....",
    ".HSESSSESH.....",
    ".HSSSLSSSH.....",
    ".HHSSSSSHH.....",
    ".HDDDDDDDHBBBB.",
    "SDDDDDDDDDBBBBB",
)
_ASLEEP = (
    "..HHHHHHH......",
    ".HHSSSSSHH.....",
    ".HSSSSSSSHBBBB.",
    ".HCCSSSCCHBBBBB",
    ".HSSSLSSSHBBBBB",
    "PPPPPPPPPBBBBBB",
)
_GONE = ("PPPP...........", "PPPPGGGGGGGGGGG")
_SMALL_AWAKE = (
    ".Y.Y.Y.......",
    ".YYYYY.......",
    "HHSSSHH......",
    "HSESESH......",
    "HSSLSSH......",
    "HDDDDDHBBBBB.",
)
_SMALL_ASLEEP = (
    ".HHHHH.......",
    "HSSSSSHBBBBB.",
    "HCCSCCHBBBBBB",
    "PPPPPPPBBBBBB",
)
_SMALL_GONE = ("PPP..........", "PPPGGGGGGGGGG")
_ZS = ("ZZZZ", "..Z.", ".Z..", "ZZZZ")
_SMALL_ZS = ("ZZ.", ".Z.", ".ZZ")

DROWSY, DOZING, NODDED_OFF = "drowsy", "dozing", "nodded off"
"""Faces of a sleeper between awake and asleep.

DROWSY: half-closed eyes. DOZING: closed eyes. NODDED_OFF: lying still.
"""
LARGE, SMALL = (19, 16), (15, 10)
"""LARGE, SMALL: (columns, height in pixels) of a sleeper's picture; a row of text holds two rows of pixels."""
MOST_LARGE, MOST_SMALL = 4, 3
"""MOST_LARGE, MOST_SMALL: most layers drawn beneath a sleeper in a large or a small picture."""
_SUPPOSED = 3
"""_SUPPOSED: layers that are drawn beneath a sleeper if their real number is secret."""
_HAIR = ("hair-1", "hair-2", "hair-3", "hair-4")
_PATTERNS = 6


def sleeper_picture(badge: str, colour: str, look: int, count: int | None, size: int) -> tuple[Content, ...]:
    """Picture of a sleeper in a bed of stacked layers, as rows of text.

    `badge`: state as in PlaceView.badge, or DROWSY, DOZING, NODDED_OFF; in any state but these, "awake" and
    "asleep", nobody lies there. `colour`: name in COLOURS; unknown: PLAIN. `look`: number that gives hair and
    pattern. `count`: number of layers, None if secret. `size`: 0 small (15 columns x 5 rows), 1 large (19 x
    8), 2 twice the large one.
    """
    return _sleeper_picture(badge, colour if colour in COLOURS else PLAIN, look, count, size)


@cache
def _sleeper_picture(badge: str, colour: str, look: int, count: int | None, size: int) -> tuple[Content, ...]:
    pixels = sleeper_pixels(badge, look, count, large=size > 0)
    return picture(scaled(pixels, size) if size > 1 else pixels, sleeper_colours(colour, look))


def sleeper_pixels(badge: str, look: int, count: int | None, *, large: bool) -> tuple[str, ...]:
    """Picture of a sleeper in a bed of stacked layers, as rows of pixels.

    A pixel is a letter; `sleeper_colours` has its colour. `badge`, `look`, `count`: as in `sleeper_picture`.
    `large`: size LARGE, else SMALL.
    """
    return _large(badge, look, count) if large else _small(badge, look, count)


def sleeper_alone(colour: str, look: int, size: int) -> tuple[Content, ...]:
    """Picture of a lying sleeper without bed: text rows.

    `colour`, `look`: as in `sleeper_picture`. `size`: 0 small (13 columns x 2 rows), 1 large (15 x 3), 2 twice
    the large one.
    """
    figure = _patterned(_ASLEEP if size else _SMALL_ASLEEP, look)
    return picture(scaled(figure, size) if size > 1 else figure, sleeper_colours(colour, look))


def sleeper_colours(colour: str, look: int) -> Mapping[str, str]:
    """Theme colours of a sleeper's picture: letter of a pixel -> name of its colour.

    `colour`: name in COLOURS; unknown: PLAIN. `look`: number that gives hair and skin.
    """
    colour = colour if colour in COLOURS else PLAIN
    return {
        "Y": "art-gold",
        "H": f"art-{_HAIR[look % len(_HAIR)]}",
        "S": "art-skin-dark" if look % 5 == 3 else "art-skin",
        "E": "art-line",
        "C": "art-lid",
        "L": "art-lip",
        "D": colour,
        "B": colour,
        "b": f"{colour}-deep",
        "P": "art-linen",
        "G": "out",
        "W": "art-wood",
        "w": "art-wood-dark",
        "M": "layer-1",
        "N": "layer-2",
        "Z": "asleep",
    }


def _patterned(rows: Sequence[str], look: int) -> tuple[str, ...]:
    """Picture of a sleeper with a pattern on the cover.

    `rows`: rows of pixels, one letter each. `look`: number of the sleeper, which gives the pattern.
    """
    return tuple(
        "".join("b" if sign == "B" and _inked(x, y, look) else sign for x, sign in enumerate(row))
        for y, row in enumerate(rows)
    )


def _inked(x: int, y: int, look: int) -> bool:
    """True if the pixel of a sleeper's cover at (`x`, `y`) is part of the pattern.

    `x`: column, `y`: row. `look` gives the pattern: dots, stripes, checks, slants, rows or frames.
    """
    match look % _PATTERNS:
        case 0:
            return (x + 2 * y) % 4 == 0
        case 1:
            return x % 2 == 0
        case 2:
            return (x + y) % 2 == 0
        case 3:
            return (x + y) % 4 == 0
        case 4:
            return y % 2 == 0
    return x % 3 == 0 or y % 3 == 0


def _large(badge: str, look: int, count: int | None) -> tuple[str, ...]:
    width, height = LARGE
    frame = [CLEAR * width] * height
    for y in range(5, height):
        foot = "WW" if y >= 9 else ".."
        frame[y] = "WW" + CLEAR * (width - 4) + foot
    frame[14] = "WW" + "w" * (width - 4) + "WW"
    stack = min(MOST_LARGE, _SUPPOSED if count is None else count)
    return _occupied(frame, badge, look, stack, top=14, small=False)


def _small(badge: str, look: int, count: int | None) -> tuple[str, ...]:
    width, height = SMALL
    frame = [CLEAR * width] * height
    for y in range(3, height):
        frame[y] = "W" + CLEAR * (width - 2) + ("W" if y >= 6 else CLEAR)
    frame[9] = "W" + "w" * (width - 2) + "W"
    stack = min(MOST_SMALL, _SUPPOSED if count is None else count)
    return _occupied(frame, badge, look, stack, top=9, small=True)


def _occupied(frame: list[str], badge: str, look: int, stack: int, *, top: int, small: bool) -> tuple[str, ...]:
    """Picture of a bed filled with its layers and its sleeper, as rows of pixels.

    `frame`: rows of pixels of the empty bed. `badge`, `look`: as in `sleeper_picture`. `stack`: number of
    layers. `top`: row of pixels below the lowest layer. `small`: True for the small picture.
    """
    edge = 1 if small else 2
    inside = len(frame[0]) - 2 * edge
    for layer in range(stack):
        y = top - 1 - layer
        row = frame[y]
        frame[y] = row[:edge] + ("M", "N")[layer % 2] * inside + row[edge + inside :]
    figures = (_SMALL_AWAKE, _SMALL_ASLEEP, _SMALL_GONE) if small else (_AWAKE, _ASLEEP, _GONE)
    awake, asleep, gone = figures
    open_eyes = [y for y, row in enumerate(awake) if "E" in row]
    # Half closed: lids over the upper row of the eyes. Closed: a line where the lower one was.
    lids = {DROWSY: open_eyes[:1], DOZING: open_eyes[-1:]}.get(badge, [])
    skin = open_eyes[:-1] if badge == DOZING else []
    sitting = tuple(
        row.replace("E", "C" if y in lids else "S" if y in skin else "E") for y, row in enumerate(awake)
    )
    lying = badge in ("asleep", NODDED_OFF)
    figure = asleep if lying else sitting if badge in ("awake", DROWSY, DOZING) else gone
    ground = top - stack
    drawn = laid_over(frame, _patterned(figure, look), edge, ground - len(figure))
    if badge == "asleep":
        drawn = laid_over(drawn, _SMALL_ZS, 8, max(0, ground - 7)) if small else drawn
        if not small:
            drawn = laid_over(drawn, _ZS, 14, 0)
            drawn = laid_over(drawn, _SMALL_ZS, 11, 4)
    return drawn
