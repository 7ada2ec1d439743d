"""Pictures of pixels as SVG, for pages: the same drawings as on the terminal's screens."""

from collections.abc import Mapping, Sequence
from html import escape


def svg_picture(
    rows: Sequence[str], colours: Mapping[str, str], label: str = "", *, fills: Mapping[str, str] | None = None
) -> str:
    """Pixel picture as an SVG element, with one path for each colour.

    `rows`: rows of pixels, one letter each. `colours`: letter -> name of its colour; other letters are
    transparent. `label`: text for screen readers. `fills`: name of a colour -> #rrggbb; None: colours are
    variables of the style sheet, such as `var(--gold)`.
    """
    paths: dict[str, str] = {}
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            end = x + 1
            while end < len(row) and row[end] == row[x]:
                end += 1
            if row[x] in colours:
                paths[row[x]] = paths.get(row[x], "") + f"M{x} {y}h{end - x}v1H{x}z"
            x = end
    drawn = "".join(
        f'<path d="{path}" fill="{fills[colours[pixel]] if fills else f"var(--{colours[pixel]})"}"/>'
        for pixel, path in paths.items()
    )
    size = f"0 0 {len(rows[0])} {len(rows)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" shape-rendering="crispEdges" role="img" '
        f'aria-label="{escape(label)}">{drawn}</svg>'
    )
