"""Draws printed things: stickers, markers, outlines, and where they reflect a lamp."""

from colorsys import hls_to_rgb

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import marker, sticker

Picture = NDArray[np.uint8]
"""BGR, height x width x 3; or a mask of height x width (0 to 255)."""
Colour = tuple[float, float, float]
"""Colour as (blue, green, red), each 0 to 255."""

PX_MM = 4
"""Resolution (px per mm) of a printed picture: twice the resolution of the camera."""
_FONT = cv2.FONT_HERSHEY_DUPLEX
_HALO = 8
"""Distance (px) from a lamp's drawn edge to where its soft edge is no brighter than white paper."""
_CREAM = (222, 238, 246)


def colour(hue: float, light: float, strength: float) -> Colour:
    """Colour (BGR, 0 to 255) from hue, lightness and saturation (0 to 1)."""
    r, g, b = hls_to_rgb(hue, light, strength)
    return (255 * b, 255 * g, 255 * r)


def outline(shape: tuple[int, int], radius_mm: int, *, round_thing: bool) -> Picture:
    """Mask of a round-cornered thing: 255 inside, 0 outside.

    `shape`: height and width (px). `radius_mm`: radius of the corners. `round_thing`: the radius is a fifth of
    the height instead.
    """
    h, w = shape
    mask = np.zeros(shape, np.uint8)
    r = h // 5 if round_thing else radius_mm * PX_MM
    cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 255, -1)
    for x in (r, w - 1 - r):
        for y in (r, h - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    return mask


def reflection(outline: Picture) -> Picture:
    """Mask (0 to 255) of a lamp's reflection in the middle of a thing, where its sticker is.

    `outline`: mask of the thing. Nothing outside it reflects.
    """
    h, w = outline.shape
    shine = np.zeros((h, w), np.uint8)
    cv2.ellipse(shine, (w // 2, h // 2), (w // 3 - _HALO, h // 5 - _HALO), 25, 0, 360, 255, -1)
    return np.asarray(cv2.min(cv2.GaussianBlur(shine, (0, 0), 6.0), outline), np.uint8)


def paste(picture: Picture, tag: NDArray[np.uint8]) -> None:
    """Draw the grey square `tag` in the middle of `picture`."""
    h, w = picture.shape[:2]
    size = tag.shape[0]
    top, left = (h - size) // 2, (w - size) // 2
    picture[top : top + size, left : left + size] = tag[:, :, None]


def paste_sticker(picture: Picture, payload: str, side: float) -> None:
    """Draw a card's QR sticker in the middle of `picture`.

    `payload`: what the code says. `side`: width (mm), quiet zone included.
    """
    paste(picture, sticker(payload, round(side * PX_MM)))


def paste_marker(picture: Picture, number: int, side: float) -> None:
    """Draw the fiducial marker `number` in the middle of `picture`.

    `side`: width (mm).
    """
    paste(picture, marker(number, round(side * PX_MM), margin=1))


def shade(picture: Picture, top: Colour, bottom: Colour) -> None:
    """Fill `picture` with a gradient from the colour `top` down to `bottom`."""
    h = picture.shape[0]
    share = np.linspace(0, 1, h, dtype=np.float32)[:, None, None]
    picture[:] = (np.array(top, np.float32) * (1 - share) + np.array(bottom, np.float32) * share).astype(
        np.uint8
    )


def border(picture: Picture, thickness: int = 10) -> None:
    """Draw a light edge on the rim of `picture`, `thickness` px wide."""
    h, w = picture.shape[:2]
    cv2.rectangle(picture, (0, 0), (w - 1, h - 1), _CREAM, 2 * thickness)


def write(picture: Picture, text: str, at: tuple[int, int], scale: float, ink: Colour, bold: int = 2) -> None:
    """Draw `text` centred on `at` (px).

    `scale`: size of the letters (cv2); `bold`: width of a line (px).
    """
    (w, h), _ = cv2.getTextSize(text, _FONT, scale, bold)
    cv2.putText(picture, text, (at[0] - w // 2, at[1] + h // 2), _FONT, scale, ink, bold, cv2.LINE_AA)
