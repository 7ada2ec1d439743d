"""What is printed on cards, tiles and the glass: pictures with the real stickers and markers on them."""

from colorsys import hls_to_rgb
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.api import PhysicalCard
from companion.games.sleepless_princess.princess_mat import (
    CARD_H,
    CARD_W,
    GLASS_MARKER_SIDE,
    GLASS_SIDE,
    MATTRESS_H,
    MATTRESS_W,
    STICKER_SIDE,
    TILE_MARKER_SIDE,
    TILE_SIDE,
)
from companion.virtual.world import DOWN, EDGE
from vision.codes.sticker_set import marker, sticker

Picture = NDArray[np.uint8]
"""BGR, height x width x 3."""
Colour = tuple[float, float, float]

PX_MM = 4
"""Pixels of a printed picture per mm: twice what the camera sees."""
_HUES = (0.98, 0.07, 0.72, 0.55, 0.14, 0.09, 0.42, 0.62, 0.83, 0.30)
"""Of the ten princesses and of the ten helper values: watermelon red, pizza orange, bat violet, ..."""
_FONT = cv2.FONT_HERSHEY_DUPLEX
_CREAM = (222, 238, 246)
_UNSLEEVED = "PG"
"""Tiles and glass are cardboard with paper stickers: nothing mirrors a lamp."""


def colour(hue: float, light: float, strength: float) -> Colour:
    """BGR 0..255 from hue, lightness and saturation 0..1."""
    r, g, b = hls_to_rgb(hue, light, strength)
    return (255 * b, 255 * g, 255 * r)


def size_of(code: str, side: str) -> tuple[float, float]:
    """Width and height in mm as seen from above; tiles on edge are a strip."""
    if code == "G":
        return (GLASS_SIDE, GLASS_SIDE)
    if code[0] == "M":
        return (MATTRESS_W, MATTRESS_H)
    if code[0] == "P":
        return (TILE_SIDE, 5.0) if side == EDGE else (TILE_SIDE, TILE_SIDE)
    return (CARD_W, CARD_H)


@cache
def printed(card: PhysicalCard | None, code: str, side: str, glare: bool) -> tuple[Picture, Picture]:
    """The picture of one side and its outline (0 or 255); `card` is None for the backs of a pile."""
    w, h = size_of(code, side)
    shape = (round(h * PX_MM), round(w * PX_MM))
    picture = np.zeros((*shape, 3), np.uint8)
    if side == EDGE:
        picture[:] = colour(_HUES[int(code[1])], 0.45, 0.6)
        picture[: shape[0] // 3] = colour(_HUES[int(code[1])], 0.7, 0.6)
    elif side == DOWN or card is None:
        _back(picture, code[0] == "M")
    else:
        _FACES.get(code[0], _helper)(picture, card)
    if glare and code[0] not in _UNSLEEVED:
        _reflection(picture)
    return picture, _outline(shape, 4 if side != EDGE else 1, round_thing=code == "G")


def _outline(shape: tuple[int, int], radius_mm: int, *, round_thing: bool) -> Picture:
    h, w = shape
    mask = np.zeros(shape, np.uint8)
    r = h // 5 if round_thing else radius_mm * PX_MM
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def _reflection(picture: Picture) -> None:
    """A lamp mirrored in the sleeve, right over the sticker."""
    h, w = picture.shape[:2]
    shine = np.zeros((h, w), np.float32)
    cv2.ellipse(shine, (w // 2, h // 2), (w // 3, h // 5), 25, 0, 360, 1.0, -1)
    shine = np.asarray(cv2.GaussianBlur(shine, (0, 0), 6.0), np.float32)[:, :, None] * 0.97
    picture[:] = (picture * (1 - shine) + 255 * shine).astype(np.uint8)


def _paste(picture: Picture, tag: NDArray[np.uint8]) -> None:
    h, w = picture.shape[:2]
    size = tag.shape[0]
    top, left = (h - size) // 2, (w - size) // 2
    picture[top : top + size, left : left + size] = tag[:, :, None]


def _sticker(picture: Picture, card: PhysicalCard) -> None:
    _paste(picture, sticker(card.payload, round(STICKER_SIDE * PX_MM)))


def _shade(picture: Picture, top: Colour, bottom: Colour) -> None:
    """A soft gradient from the upper edge to the lower one."""
    h = picture.shape[0]
    share = np.linspace(0, 1, h, dtype=np.float32)[:, None, None]
    picture[:] = (np.array(top, np.float32) * (1 - share) + np.array(bottom, np.float32) * share).astype(
        np.uint8
    )


def _frame(picture: Picture, thickness: int = 10) -> None:
    h, w = picture.shape[:2]
    cv2.rectangle(picture, (0, 0), (w - 1, h - 1), _CREAM, 2 * thickness)


def _text(picture: Picture, text: str, at: tuple[int, int], scale: float, ink: Colour, bold: int = 2) -> None:
    """Centred on `at`."""
    (w, h), _ = cv2.getTextSize(text, _FONT, scale, bold)
    cv2.putText(picture, text, (at[0] - w // 2, at[1] + h // 2), _FONT, scale, ink, bold, cv2.LINE_AA)


def _back(picture: Picture, mattress: bool) -> None:
    h, w = picture.shape[:2]
    if mattress:
        _shade(picture, (206, 216, 226), (188, 200, 214))
        ink = (178, 190, 204)
        for x in range(-h, w + h, 40):
            cv2.line(picture, (x, 0), (x + h, h), ink, 2, cv2.LINE_AA)
            cv2.line(picture, (x + h, 0), (x, h), ink, 2, cv2.LINE_AA)
        cv2.rectangle(picture, (10, 10), (w - 11, h - 11), (160, 176, 194), 3, cv2.LINE_AA)
        return
    _shade(picture, (122, 62, 52), (92, 40, 46))
    ink = (140, 82, 70)
    for y in range(0, h + 48, 48):
        for x in range(0, w + 48, 48):
            cv2.circle(picture, (x, y), 16, ink, 2, cv2.LINE_AA)
    _frame(picture)
    cv2.circle(picture, (w // 2, h // 2), 46, (150, 200, 226), -1, cv2.LINE_AA)
    cv2.circle(picture, (w // 2 + 18, h // 2 - 12), 40, (112, 58, 52), -1, cv2.LINE_AA)


def _helper(picture: Picture, card: PhysicalCard) -> None:
    """A helper: its value large in two corners, as many little creatures around the sticker."""
    value = int(card.kind)
    hue = _HUES[value - 1]
    h, w = picture.shape[:2]
    _shade(picture, colour(hue, 0.80, 0.55), colour(hue, 0.62, 0.55))
    spots = _ring(value, w, h)
    for x, y in spots:
        _creature(picture, x, y, hue)
    _frame(picture)
    _sticker(picture, card)
    ink = colour(hue, 0.24, 0.75)
    _text(picture, str(value), (44, 50), 1.7, ink, 4)
    _text(picture, str(value), (w - 44, h - 50), 1.7, ink, 4)


def _ring(count: int, w: int, h: int) -> list[tuple[int, int]]:
    """Places above and below the sticker."""
    upper = (count + 1) // 2
    rows = [(h * 0.15, upper), (h * 0.85, count - upper)]
    spots = []
    for y, n in rows:
        left, right = (80, w - 30) if y < h / 2 else (30, w - 80)
        for k in range(n):
            shift = 14 if n > 3 and k % 2 else -14 if n > 3 else 0
            spots.append((round(left + (right - left) * (k + 0.5) / n), round(y + shift)))
    return spots


def _creature(picture: Picture, x: int, y: int, hue: float) -> None:
    body, dark = colour(hue, 0.45, 0.65), colour(hue, 0.2, 0.6)
    cv2.ellipse(picture, (x, y), (13, 10), 0, 0, 360, body, -1, cv2.LINE_AA)
    cv2.circle(picture, (x + 9, y - 8), 7, body, -1, cv2.LINE_AA)
    cv2.circle(picture, (x + 11, y - 9), 2, (250, 250, 250), -1, cv2.LINE_AA)
    cv2.line(picture, (x - 6, y + 8), (x - 10, y + 14), dark, 2, cv2.LINE_AA)
    cv2.line(picture, (x + 4, y + 8), (x + 2, y + 15), dark, 2, cv2.LINE_AA)


def _blanket(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    _shade(picture, (196, 170, 120), (160, 128, 84))
    for k in range(0, h, 58):
        cv2.rectangle(picture, (0, k), (w, k + 22), (204, 184, 140), -1)
    for k in range(16, w, 64):
        cv2.rectangle(picture, (k, 0), (k + 14, h), (178, 148, 100), -1)
    _frame(picture)
    _sticker(picture, card)
    _text(picture, "Blanket", (w // 2, h - 44), 1.0, (90, 56, 30), 2)


def _witch(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    _shade(picture, (86, 36, 58), (48, 24, 34))
    hat = np.array(
        [(w // 2 - 62, 104), (w // 2 + 62, 104), (w // 2 + 22, 86), (w // 2 + 8, 20), (w // 2 - 26, 84)]
    )
    cv2.fillPoly(picture, [hat], (40, 18, 26), cv2.LINE_AA)
    cv2.line(picture, (w // 2 - 30, 82), (w // 2 + 24, 84), (90, 190, 120), 8, cv2.LINE_AA)
    cv2.circle(picture, (w - 44, 48), 22, (150, 214, 236), -1, cv2.LINE_AA)
    _frame(picture)
    _sticker(picture, card)
    _text(picture, "Witch", (w // 2, h - 44), 1.2, (150, 214, 190), 2)


def _mattress(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    hue = _HUES[int(card.kind[0])]
    smooth = card.kind.endswith("s")
    _shade(picture, colour(hue, 0.78, 0.6), colour(hue, 0.66, 0.6))
    if smooth:
        for x, y in ((46, 46), (w - 46, 60), (60, h - 40), (w - 50, h - 44)):
            star = [
                (
                    x + (22 if k % 2 == 0 else 9) * np.cos(k * np.pi / 4),
                    y + (22 if k % 2 == 0 else 9) * np.sin(k * np.pi / 4),
                )
                for k in range(8)
            ]
            cv2.fillPoly(picture, [np.array(star).astype(np.int32)], (236, 246, 252), cv2.LINE_AA)
    else:
        for x in range(36, w, 62):
            for y in (34, h // 2, h - 34):
                cv2.circle(picture, (x, y), 13, colour(hue, 0.56, 0.6), -1, cv2.LINE_AA)
    _frame(picture, 6)
    _sticker(picture, card)


def _tile(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    hue = _HUES[int(card.code[1])]
    if card.code.endswith("D"):
        _shade(picture, (112, 58, 40), (70, 34, 30))
        for x, y in ((24, 30), (w - 30, 22), (w - 18, h - 60), (22, h - 34)):
            cv2.circle(picture, (x, y), 5, (190, 230, 246), -1, cv2.LINE_AA)
    else:
        _shade(picture, colour(hue, 0.82, 0.7), colour(hue, 0.66, 0.7))
    crown = np.array([(90, 24), (96, 6), (108, 16), (120, 2), (132, 16), (144, 6), (150, 24)])
    cv2.fillPoly(picture, [crown], (60, 190, 240), cv2.LINE_AA)
    assert card.marker is not None
    _paste(picture, marker(card.marker, round(TILE_MARKER_SIDE * PX_MM), margin=1))
    ink = (230, 236, 240) if card.code.endswith("D") else colour(hue, 0.22, 0.8)
    _text(picture, card.name.split(",")[0], (w // 2, h - 17), 0.62, ink, 1)


def _glass(picture: Picture, card: PhysicalCard) -> None:
    _shade(picture, (60, 190, 232), (40, 150, 200))
    assert card.marker is not None
    _paste(picture, marker(card.marker, round(GLASS_MARKER_SIDE * PX_MM), margin=1))


_FACES = {"B": _blanket, "W": _witch, "M": _mattress, "P": _tile, "G": _glass}
