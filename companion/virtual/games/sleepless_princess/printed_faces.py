"""Pictures of cards, tiles, glass and mat, with the real stickers and markers."""

from functools import cache

import cv2
import numpy as np

from companion.games.appearance import PhysicalCard
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
from companion.virtual.render.printed_marks import (
    PX_MM,
    Picture,
    border,
    colour,
    outline,
    paste_marker,
    paste_sticker,
    shade,
    write,
)
from companion.virtual.render.table_surface import label, outline_zone
from companion.virtual.world import DOWN, EDGE
from vision.mat_geometry import Zone

_BED = (58, 92, 138)
_SHEET = (150, 116, 98)
_HUES = (0.98, 0.07, 0.72, 0.55, 0.14, 0.09, 0.42, 0.62, 0.83, 0.30)
"""Hue (0 to 1) of princess 0 to 9, and of helpers 1 to 10: watermelon red, pizza orange, ..."""
_UNSLEEVED = "PG"
"""First letters of codes of things that reflect no lamp: tiles and glass, in paper."""


def size_of(code: str, side: str) -> tuple[float, float]:
    """Thing's width and height (mm) as seen from above.

    `side`: which is up. A tile on its edge is a narrow strip.
    """
    if code == "G":
        return (GLASS_SIDE, GLASS_SIDE)
    if code[0] == "M":
        return (MATTRESS_W, MATTRESS_H)
    if code[0] == "P":
        return (TILE_SIDE, 5.0) if side == EDGE else (TILE_SIDE, TILE_SIDE)
    return (CARD_W, CARD_H)


@cache
def printed(card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
    """Draw one side of a thing: (picture, mask of 0 or 255).

    `card`: None for the back of a pile.
    """
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
    return picture, outline(shape, 4 if side != EDGE else 1, round_thing=code == "G")


def is_glossy(code: str) -> bool:
    """Whether the thing `code` reflects a lamp: cards in sleeves do, paper tiles and the glass do not."""
    return code[0] not in _UNSLEEVED


def _back(picture: Picture, mattress: bool) -> None:
    h, w = picture.shape[:2]
    if mattress:
        shade(picture, (206, 216, 226), (188, 200, 214))
        ink = (178, 190, 204)
        for x in range(-h, w + h, 40):
            cv2.line(picture, (x, 0), (x + h, h), ink, 2, cv2.LINE_AA)
            cv2.line(picture, (x + h, 0), (x, h), ink, 2, cv2.LINE_AA)
        cv2.rectangle(picture, (10, 10), (w - 11, h - 11), (160, 176, 194), 3, cv2.LINE_AA)
        return
    shade(picture, (122, 62, 52), (92, 40, 46))
    ink = (140, 82, 70)
    for y in range(0, h + 48, 48):
        for x in range(0, w + 48, 48):
            cv2.circle(picture, (x, y), 16, ink, 2, cv2.LINE_AA)
    border(picture)
    cv2.circle(picture, (w // 2, h // 2), 46, (150, 200, 226), -1, cv2.LINE_AA)
    cv2.circle(picture, (w // 2 + 18, h // 2 - 12), 40, (112, 58, 52), -1, cv2.LINE_AA)


def _helper(picture: Picture, card: PhysicalCard) -> None:
    """Draw a helper card's face.

    It has its value in two corners, and as many creatures around the sticker.
    """
    value = int(card.kind)
    hue = _HUES[value - 1]
    h, w = picture.shape[:2]
    shade(picture, colour(hue, 0.80, 0.55), colour(hue, 0.62, 0.55))
    spots = _ring(value, w, h)
    for x, y in spots:
        _creature(picture, x, y, hue)
    border(picture)
    paste_sticker(picture, card.payload, STICKER_SIDE)
    ink = colour(hue, 0.24, 0.75)
    write(picture, str(value), (44, 50), 1.7, ink, 4)
    write(picture, str(value), (w - 44, h - 50), 1.7, ink, 4)


def _ring(count: int, w: int, h: int) -> list[tuple[int, int]]:
    """Places (px) of `count` creatures around a card's sticker.

    They lie above and below it. `w`, `h`: size of the card (px).
    """
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
    shade(picture, (196, 170, 120), (160, 128, 84))
    for k in range(0, h, 58):
        cv2.rectangle(picture, (0, k), (w, k + 22), (204, 184, 140), -1)
    for k in range(16, w, 64):
        cv2.rectangle(picture, (k, 0), (k + 14, h), (178, 148, 100), -1)
    border(picture)
    paste_sticker(picture, card.payload, STICKER_SIDE)
    write(picture, "Blanket", (w // 2, h - 44), 1.0, (90, 56, 30), 2)


def _witch(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    shade(picture, (86, 36, 58), (48, 24, 34))
    hat = np.array(
        [(w // 2 - 62, 104), (w // 2 + 62, 104), (w // 2 + 22, 86), (w // 2 + 8, 20), (w // 2 - 26, 84)]
    )
    cv2.fillPoly(picture, [hat], (40, 18, 26), cv2.LINE_AA)
    cv2.line(picture, (w // 2 - 30, 82), (w // 2 + 24, 84), (90, 190, 120), 8, cv2.LINE_AA)
    cv2.circle(picture, (w - 44, 48), 22, (150, 214, 236), -1, cv2.LINE_AA)
    border(picture)
    paste_sticker(picture, card.payload, STICKER_SIDE)
    write(picture, "Witch", (w // 2, h - 44), 1.2, (150, 214, 190), 2)


def _mattress(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    hue = _HUES[int(card.kind[0])]
    smooth = card.kind.endswith("s")
    shade(picture, colour(hue, 0.78, 0.6), colour(hue, 0.66, 0.6))
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
    border(picture, 6)
    paste_sticker(picture, card.payload, STICKER_SIDE)


def _tile(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    hue = _HUES[int(card.code[1])]
    if card.code.endswith("D"):
        shade(picture, (112, 58, 40), (70, 34, 30))
        for x, y in ((24, 30), (w - 30, 22), (w - 18, h - 60), (22, h - 34)):
            cv2.circle(picture, (x, y), 5, (190, 230, 246), -1, cv2.LINE_AA)
    else:
        shade(picture, colour(hue, 0.82, 0.7), colour(hue, 0.66, 0.7))
    crown = np.array([(90, 24), (96, 6), (108, 16), (120, 2), (132, 16), (144, 6), (150, 24)])
    cv2.fillPoly(picture, [crown], (60, 190, 240), cv2.LINE_AA)
    assert card.marker is not None
    paste_marker(picture, card.marker, TILE_MARKER_SIDE)
    ink = (230, 236, 240) if card.code.endswith("D") else colour(hue, 0.22, 0.8)
    write(picture, card.name.split(",")[0], (w // 2, h - 17), 0.62, ink, 1)


def _glass(picture: Picture, card: PhysicalCard) -> None:
    shade(picture, (60, 190, 232), (40, 150, 200))
    assert card.marker is not None
    paste_marker(picture, card.marker, GLASS_MARKER_SIDE)


_FACES = {"B": _blanket, "W": _witch, "M": _mattress, "P": _tile, "G": _glass}


def draw_zone(sheet: Picture, zone: Zone) -> None:
    """Draw a zone of the mat on its sheet: a bed, or an outline.

    The feet of beds carry no name. `sheet`: picture of the mat.
    """
    if zone.name.startswith("bed"):
        _bed(sheet, zone)
    else:
        outline_zone(sheet, zone, named=not zone.name.startswith("foot"))


def _bed(sheet: Picture, zone: Zone) -> None:
    """Draw a wooden bed with sheet and pillow, flat and pale."""
    x0, y0, x1, y1 = (round(v * PX_MM) for v in (zone.x, zone.y, zone.x + zone.w, zone.y + zone.h))
    part = sheet[y0:y1, x0:x1]
    tint = np.empty_like(part)
    tint[:] = _BED
    m = 4 * PX_MM
    cv2.rectangle(tint, (m, m), (x1 - x0 - m, y1 - y0 - m), _SHEET, -1)
    cv2.ellipse(
        tint,
        ((x1 - x0) // 2, 24 * PX_MM),
        (40 * PX_MM, 13 * PX_MM),
        0,
        0,
        360,
        (186, 156, 138),
        -1,
        cv2.LINE_AA,
    )
    part[:] = cv2.addWeighted(part, 0.2, tint, 0.8, 0)
    cv2.rectangle(sheet, (x0, y0), (x1 - 1, y1 - 1), (40, 66, 104), 3, cv2.LINE_AA)
    label(sheet, zone.name.removeprefix("bed "), x0 + 8 * PX_MM, y1 - 7 * PX_MM, (186, 156, 138))
