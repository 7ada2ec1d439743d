"""Elements of an SVG drawing as text, with everything escaped."""

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

_FONT = "DejaVu Sans, Verdana, sans-serif"
FAINT = "#555555"


def shape(kind: str, content: str = "", /, **attributes: object) -> str:
    """Write an SVG element of type `kind`, e.g. `rect`.

    `content`: its text. Underscores in attribute names become hyphens.
    """
    told = "".join(f" {name.replace('_', '-')}={quoteattr(str(value))}" for name, value in attributes.items())
    return f"<{kind}{told}>{escape(content)}</{kind}>" if content else f"<{kind}{told}/>"


def drawing(width: int, height: int, title: str, below: str, shapes: Iterable[str]) -> str:
    """Write a whole SVG drawing of `width` x `height` px.

    `title`: at the top. `below`: a line under it. `shapes`: SVG elements.
    """
    opened = shape("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=width,
                   height=height, font_family=_FONT, font_size=12)  # fmt: skip
    lines = [
        opened.removesuffix("/>") + ">",
        shape("title", title),
        shape("rect", width=width, height=height, fill="#ffffff"),
        shape("text", title, x=16, y=30, font_size=18, font_weight="bold"),
        shape("text", below, x=16, y=48, fill=FAINT),
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
