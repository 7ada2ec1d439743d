"""Draws table and mat: wood, felt, printed zones, corner markers."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from random import Random

import cv2
import numpy as np

from companion.virtual.parameters import PLAYERS
from companion.virtual.render.camera_optics import HEIGHT, WIDTH, Lens
from companion.virtual.render.printed_marks import PX_MM, Picture
from vision.codes.sticker_set import marker
from vision.mat_geometry import Mat, MatMarker, Zone

_FELT = (92, 104, 62)
_LINE = (140, 152, 112)


_CLOTHS = ((92, 104, 62), (176, 190, 198), (120, 74, 60), (84, 92, 150))
"""Colours (BGR) of tablecloths."""
_CHECK_MM, _FLOWERS, _HANGS_MM = 40, 260, 60
"""_CHECK_MM: side (mm) of a check on a cloth. _FLOWERS: number of flowers on a cloth.

_HANGS_MM: width (mm) of cloth beyond the game's zones, so that the camera sees no edge of the table.
"""


DrawZone = Callable[[Picture, Zone], None]
"""Function that draws a zone of the mat on its sheet, at PX_MM px per mm."""


_Key = tuple[Mat, Hashable, int, DrawZone]
_KEPT = 2
"""Number of pictures of empty tables that are kept for reuse, 6 MB each."""
_kept: dict[_Key, Picture] = {}


def bare_table(mat: Mat, lens: Lens, seed: int, draw_zone: DrawZone) -> Picture:
    """Draw the empty table without blur or noise, 1080 x 1920 px.

    The picture is read-only, as later calls share it. `lens`: projects it. Equal `seed`s give equal wood and
    cloth.
    """
    key = (mat, lens.key, seed, draw_zone)
    picture = _kept.pop(key, None)
    if picture is None:
        picture = _drawn(mat, lens, seed, draw_zone)
        picture.flags.writeable = False
    while len(_kept) >= _KEPT:
        del _kept[next(iter(_kept))]
    _kept[key] = picture
    return picture


def _drawn(mat: Mat, lens: Lens, seed: int, draw_zone: DrawZone) -> Picture:
    chance = np.random.default_rng(seed)
    wood = _wood(chance)
    beyond = 0 if mat.markers else _HANGS_MM
    sheet = _mat(mat, beyond, chance, draw_zone)
    scale = np.array([[1 / PX_MM, 0, -beyond], [0, 1 / PX_MM, -beyond], [0, 0, 1.0]])
    # Averaged from twice the size: thin lines and markers must not become steps.
    whole = (0, 0, WIDTH, HEIGHT)
    opaque = np.asarray(cv2.cvtColor(sheet, cv2.COLOR_BGR2BGRA), np.uint8)
    twice = lens.twice(opaque, lens.matrix @ scale, whole)
    seen = np.asarray(cv2.resize(twice, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
    laid, mask = seen[:, :, :3], np.ascontiguousarray(seen[:, :, 3])
    shadow = cv2.GaussianBlur(mask, (0, 0), 6.0).astype(np.float32)[:, :, None] / 255
    share = mask.astype(np.float32)[:, :, None] / 255
    ground = wood * (1 - 0.45 * shadow)
    return np.asarray(ground * (1 - share) + laid * share, np.uint8)


def _wood(chance: np.random.Generator) -> np.ndarray:
    """Draw wooden boards whose grain runs along the picture."""
    raw = chance.standard_normal((HEIGHT, WIDTH // 24)).astype(np.float32)
    grain = cv2.resize(cv2.GaussianBlur(raw, (0, 0), 1.2), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    broad = cv2.resize(
        chance.standard_normal((12, 6)).astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC
    )
    tone = 1 + 0.10 * grain + 0.05 * broad
    return np.clip(np.array((64, 98, 142), np.float32) * tone[:, :, None], 0, 255)


def _mat(mat: Mat, beyond: float, chance: np.random.Generator, draw_zone: DrawZone) -> Picture:
    w, h = (round((side + 2 * beyond) * PX_MM) for side in (mat.w, mat.h))
    raw = chance.standard_normal((h // 3, w // 3), np.float32)
    cloud = cv2.resize(
        chance.standard_normal((5, 9), np.float32), (w // 3, h // 3), interpolation=cv2.INTER_CUBIC
    )
    weave = 128 * (1 + 0.05 * cv2.GaussianBlur(raw, (0, 0), 0.8) + 0.03 * cloud)
    # In bytes: the sheet has 25 million pixels, and floats would take a second.
    tone = cv2.resize(np.clip(weave, 0, 255).astype(np.uint8), (w, h), interpolation=cv2.INTER_LINEAR)
    felt = np.full((h, w, 3), _FELT, np.uint8) if mat.markers else _tablecloth(w, h, chance)
    sheet = np.asarray(cv2.multiply(felt, cv2.merge([tone, tone, tone]), scale=1 / 128), np.uint8)
    for zone in mat.zones:
        draw_zone(sheet, zone)
    for corner in mat.markers:
        tag = marker(corner.id, round(corner.side * PX_MM), margin=1)
        size = tag.shape[0]
        if corner.angle:
            _lay_turned(sheet, tag, corner)
            continue
        left, top = round(corner.x * PX_MM - size / 2), round(corner.y * PX_MM - size / 2)
        # A margin beyond the edge is cut off with the paper.
        x0, y0, x1, y1 = max(0, left), max(0, top), min(w, left + size), min(h, top + size)
        sheet[y0:y1, x0:x1] = tag[y0 - top : y1 - top, x0 - left : x1 - left, None]
    return sheet


def corners_alone(mat: Mat, chance: Random) -> Mat:
    """Lay a mat's corner markers on a plain cloth by hand: a mat without zones.

    Each lies a little beside its place, and turned.
    """
    laid = []
    for corner in mat.markers:
        x, y, angle = (chance.gauss(0, sigma) for sigma in (PLAYERS.laid_mm, PLAYERS.laid_mm, PLAYERS.laid_deg))
        # Not beyond the edge of the picture, in which the camera has to see all of them.
        x, y = (
            abs(off) if at < side / 2 else -abs(off)
            for off, at, side in ((x, corner.x, mat.w), (y, corner.y, mat.h))
        )
        laid.append(replace(corner, x=corner.x + x, y=corner.y + y, angle=angle))
    return replace(mat, markers=tuple(laid), zones=())


def tablecloth(mat: Mat) -> Mat:
    """Make a mat without zones or markers of a mat's size: a cloth.

    When drawn, it is plain, checked or flowered by chance.
    """
    return replace(mat, markers=(), zones=())


def _tablecloth(w: int, h: int, chance: np.random.Generator) -> Picture:
    """Draw a tablecloth of w x h px: plain, checked or with flowers, by chance."""
    base = np.array(_CLOTHS[chance.integers(len(_CLOTHS))], np.float32)
    cloth = np.empty((h, w, 3), np.uint8)
    cloth[:] = base.astype(np.uint8)
    pattern = chance.integers(3)
    darker = tuple(int(one) for one in base * 0.8)
    if pattern == 1:
        side = _CHECK_MM * PX_MM
        for band in range(0, w, 2 * side):
            cloth[:, band : band + side] = (cloth[:, band : band + side] * 0.86).astype(np.uint8)
        for band in range(0, h, 2 * side):
            cloth[band : band + side] = (cloth[band : band + side] * 0.86).astype(np.uint8)
    elif pattern == 2:
        for x, y, size, turn in zip(
            chance.integers(w, size=_FLOWERS),
            chance.integers(h, size=_FLOWERS),
            chance.integers(3 * PX_MM, 7 * PX_MM, size=_FLOWERS),
            chance.uniform(0, 72, size=_FLOWERS),
            strict=True,
        ):
            for petal in range(5):
                angle = np.radians(turn + 72 * petal)
                at = (int(x + size * np.cos(angle)), int(y + size * np.sin(angle)))
                cv2.circle(cloth, at, int(0.7 * size), darker, -1, cv2.LINE_AA)
    return cloth


def _lay_turned(sheet: Picture, tag: Picture, corner: MatMarker) -> None:
    """Draw a corner marker on a paper of its own, as it lies on the cloth.

    `sheet`: the cloth's picture. `tag`: the marker's drawing. `corner`: its place and turn.
    """
    size = tag.shape[0]
    paper = np.pad(tag, size // 8, constant_values=255)
    middle = ((paper.shape[1] - 1) / 2, (paper.shape[0] - 1) / 2)
    turn = np.asarray(cv2.getRotationMatrix2D(middle, -corner.angle, 1.0), np.float64)
    turn[:, 2] += np.array((corner.x, corner.y)) * PX_MM - (np.array(paper.shape[::-1]) - 1) / 2 - 0.5
    whole = (sheet.shape[1], sheet.shape[0])
    laid = cv2.warpAffine(paper, turn, whole, flags=cv2.INTER_LINEAR)
    share = cv2.warpAffine(np.full_like(paper, 255), turn, whole, flags=cv2.INTER_LINEAR)
    there = share > 127
    sheet[there] = laid[there][:, None]


def outline_zone(sheet: Picture, zone: Zone, *, named: bool = True) -> None:
    """Draw the edge of a zone, and its name in a corner if it is `named`."""
    x0, y0, x1, y1 = (round(v * PX_MM) for v in (zone.x, zone.y, zone.x + zone.w, zone.y + zone.h))
    cv2.rectangle(sheet, (x0, y0), (x1 - 1, y1 - 1), _LINE, 3, cv2.LINE_AA)
    if named:
        label(sheet, zone.name, x0 + 3 * PX_MM, y1 - 3 * PX_MM, _LINE)


def label(sheet: Picture, text: str, x: int, y: int, ink: tuple[int, int, int]) -> None:
    """Write `text` on the mat's sheet.

    `x`, `y`: lower left of the first letter (px).
    """
    cv2.putText(sheet, text, (x, y), cv2.FONT_HERSHEY_DUPLEX, 1.1, ink, 2, cv2.LINE_AA)
