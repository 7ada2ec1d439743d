"""What camera and board sense now as text: the picture in half blocks, bars for loads, the pressed pad."""

from base64 import b64decode
from binascii import Error
from collections.abc import Sequence

from textual.content import Content
from textual.style import Style

from companion.core.language import localized, tr
from companion.core.sensor_terms import place_name
from companion.dashboard.labels import fit
from companion.session.events import SensorView, StationView, ZoneView

MATRIX = 16
"""MATRIX: rows and columns of the pressure matrix."""
FULL_CARDS = 8.0
"""FULL_CARDS: load (cards) of a full bar."""
_BAR = 10


def camera_picture(view: SensorView) -> list[Content]:
    """The picture, two px in a cell; nothing if there is none or it is damaged."""
    try:
        pixels = b64decode(view.pixels, validate=True)
    except (Error, ValueError):
        return []
    width, height = view.width, view.height - view.height % 2
    if width <= 0 or height <= 0 or len(pixels) < 3 * width * height:
        return []
    return [_cells(pixels[3 * width * y : 3 * width * (y + 2)], width) for y in range(0, height, 2)]


def _cells(pixels: bytes, width: int) -> Content:
    """A row of text from two rows of px."""
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
    """The pressure matrix, 16 x 8 cells; nothing if there is none."""
    try:
        pixels = bytes.fromhex(pressed)
    except ValueError:
        return []
    if len(pixels) != MATRIX * MATRIX:
        return []
    grey = bytes(value for pixel in pixels for value in (pixel, pixel, min(255, pixel + 40)))
    return [_cells(grey[3 * MATRIX * y : 3 * MATRIX * (y + 2)], MATRIX) for y in range(0, MATRIX, 2)]


def station_rows(stations: Sequence[StationView], width: int) -> list[Content]:
    """A row for each station: its load as a bar, and which of its parts report something."""
    return [_station(one, width) for one in stations]


def _station(one: StationView, width: int) -> Content:
    parts: list[Content] = [Content.styled(f"{fit(localized(place_name(one.name)), 7):<8}", "bold")]
    if one.cards is not None:
        filled = max(0, min(_BAR, round(one.cards / FULL_CARDS * _BAR)))
        parts += [Content.assemble(("█" * filled, "$accent"), ("░" * (_BAR - filled), "$line"))]
        parts += [Content(tr(" {number} cards ", number=f"{one.cards:4.1f}"))]
    elif one.loaded is not None:
        loaded = tr("loaded") if one.loaded else tr("empty")
        parts += [Content(f"{loaded:<11}")]
    parts += [_part(tr("touch"), one.touched), _part(tr("tag"), one.tag), _part(tr("pressed"), one.pressed)]
    return Content("").join(parts)[:width]


def _part(name: str, on: bool | None) -> Content:
    if on is None:
        return Content("")
    return Content.styled(f" ● {name}", "bold $good") if on else Content.styled(f" ○ {name}", "$muted")


def zone_rows(zones: Sequence[ZoneView], width: int, rows: int) -> list[Content]:
    """What the camera reads in each zone, a row each."""
    found = [
        Content.assemble(
            (f"{fit(localized(place_name(one.name)), 12):<13}", "$muted"), fit(", ".join(one.cards), width - 14)
        )
        for one in zones
    ]
    return found[:rows]
