"""What camera and board sense now as text: the picture in half blocks, bars for loads, the pressed pad."""

from base64 import b64decode
from binascii import Error
from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from companion.core.language import localized, tr
from companion.core.sensor_terms import place_name
from companion.dashboard.labels import fit
from companion.dashboard.player_names import PlayerNames
from companion.session.stream.events import SensorView, StationView, ZoneView

MATRIX = 16
"""MATRIX: number of rows, and of columns, of the board's pressure matrix."""
FULL_CARDS = 8.0
"""FULL_CARDS: load (weight of as many cards) at which a station's bar is full."""
_BAR, _LEAST_BAR = 10, 4


def camera_picture(view: SensorView) -> list[Content]:
    """Camera's picture as rows of text, two rows of pixels in each.

    `view` has its pixels. [] without a picture, or for a damaged one. An odd last row of pixels is left out.
    """
    try:
        pixels = b64decode(view.pixels, validate=True)
    except (Error, ValueError):
        return []
    width, height = view.width, view.height - view.height % 2
    if width <= 0 or height <= 0 or len(pixels) < 3 * width * height:
        return []
    return [_cells(pixels[3 * width * y : 3 * width * (y + 2)], width) for y in range(0, height, 2)]


def _cells(pixels: bytes, width: int) -> Content:
    """Row of text that draws two rows of pixels in half blocks.

    `pixels`: RGB, 3 bytes each; `width` pixels of the upper row, then of the lower.
    """
    below = 3 * width
    runs: list[tuple[str, str]] = []
    for at in range(0, below, 3):
        style = f"#{pixels[at : at + 3].hex()} on #{pixels[below + at : below + at + 3].hex()}"
        if runs and runs[-1][1] == style:
            runs[-1] = (runs[-1][0] + "▀", style)
        else:
            runs.append(("▀", style))
    return Content.assemble(*((text, Style.parse(style)) for text, style in runs))


def pressure_picture(pressed: str) -> list[Content]:
    """Pressure matrix as 8 rows of text of 16 columns; brighter is heavier.

    `pressed`: 512 hex digits, two for each crossing (00 to ff), row by row; [] for any other text.
    """
    try:
        pixels = bytes.fromhex(pressed)
    except ValueError:
        return []
    if len(pixels) != MATRIX * MATRIX:
        return []
    grey = bytes(value for pixel in pixels for value in (pixel, pixel, min(255, pixel + 40)))
    return [_cells(grey[3 * MATRIX * y : 3 * MATRIX * (y + 2)], MATRIX) for y in range(0, MATRIX, 2)]


def station_rows(stations: Sequence[StationView], width: int) -> list[Content]:
    """Rows of text on what the board's stations sense.

    A row has the station's name, and its load (cards) as a bar and a number. Touch, tag and button follow, on
    or off, if they report. Bars are shortened if the words need their columns. `width`: columns of a row.
    """
    names = [localized(place_name(one.name)) for one in stations]
    room = max(map(len, names), default=0)
    told = [(_load(one), _parts(one)) for one in stations]
    rest = min((width - room - 1 - load.cell_length - parts.cell_length for load, parts in told), default=0)
    bar = min(_BAR, rest) if rest >= _LEAST_BAR else 0
    return [
        Content.assemble((f"{name:<{room}} ", "bold"), _bar(one, bar), load, parts)[:width]
        for one, name, (load, parts) in zip(stations, names, told, strict=True)
    ]


def _bar(one: StationView, columns: int) -> Content:
    if one.cards is None:
        return Content("")
    filled = max(0, min(columns, round(one.cards / FULL_CARDS * columns)))
    return Content.assemble(("█" * filled, "$accent"), ("░" * (columns - filled), "$line"))


def _load(one: StationView) -> Content:
    if one.cards is not None:
        return Content(tr(" {number} cards ", number=f"{one.cards:4.1f}"))
    if one.loaded is None:
        return Content("")
    return Content(tr("loaded") if one.loaded else tr("empty"))


def _parts(one: StationView) -> Content:
    parts = ((tr("touch"), one.touched), (tr("tag"), one.tag), (tr("pressed"), one.pressed))
    return Content("").join(_part(*part) for part in parts)


def _part(name: str, on: bool | None) -> Content:
    if on is None:
        return Content("")
    return Content.styled(f" ● {name}", "bold $good") if on else Content.styled(f" ○ {name}", "$muted")


def zone_rows(zones: Sequence[ZoneView], names: PlayerNames, width: int, rows: int) -> list[Content]:
    """Rows of text with the cards that the camera reads in each zone of the mat.

    One for each zone, at most `rows` rows of `width` columns. `names`: players' names.
    """
    found = [
        Content.assemble(
            (f"{fit(names.put_into(localized(place_name(one.name))), 12):<13}", "$muted"),
            fit(", ".join(one.cards), width - 14),
        )
        for one in zones
    ]
    return found[:rows]
