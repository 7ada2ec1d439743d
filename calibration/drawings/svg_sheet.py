"""Writes a sheet as true-size SVG.

It is for pages and laser cutters.
"""

from calibration.drawings.svg_shapes import shape
from calibration.sheets.sheet_shapes import MM_PER_PT, Circle, Line, Sheet, Words


def sheet_svg(sheet: Sheet) -> str:
    """Write a sheet as SVG text, true to size."""
    size = {"width": f"{sheet.w:g}mm", "height": f"{sheet.h:g}mm", "viewBox": f"0 0 {sheet.w:g} {sheet.h:g}"}
    opened = shape(
        "svg", xmlns="http://www.w3.org/2000/svg", font_family="Helvetica, Arial, sans-serif", **size
    )
    lines = [opened.removesuffix("/>") + ">", shape("rect", width="100%", height="100%", fill="#ffffff")]
    for one in sheet.shapes:
        match one:
            case Line():
                dash = {"stroke_dasharray": "2 1.5"} if one.dashed else {}
                lines.append(shape("line", x1=_mm(one.x0), y1=_mm(one.y0), x2=_mm(one.x1), y2=_mm(one.y1),
                                   stroke=_grey(one.grey), stroke_width=_mm(one.width), **dash))  # fmt: skip
            case Circle():
                lines.append(shape("circle", cx=_mm(one.x), cy=_mm(one.y), r=_mm(one.radius), fill="none",
                                   stroke="#000000", stroke_width=_mm(one.width)))  # fmt: skip
            case Words():
                bold = {"font_weight": "bold"} if one.bold else {}
                # textLength keeps words as long as in the PDF, whatever font is there.
                at = {"x": _mm(one.x), "y": _mm(one.y), "font_size": _mm(one.size * MM_PER_PT)}
                look = {"textLength": _mm(one.width), "fill": _grey(one.grey), **bold}
                lines.append(shape("text", one.text, **at, **look))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _mm(value: float) -> str:
    return f"{value:.2f}"


def _grey(grey: float) -> str:
    level = round(grey * 255)
    return f"#{level:02x}{level:02x}{level:02x}"
