"""The camera's geometry and optics: millimetres to pixels, blur, dark corners, sensor noise."""

from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.units import Mat
from companion.virtual.art import Picture
from companion.virtual.noise import Noise
from companion.virtual.world import Point

WIDTH, HEIGHT = 1920, 1080
_BIAS = 10
"""Noise is kept as bytes around this level, and pictures are stored so much darker: one addition a frame."""
_SLACK = 96
"""The noise bank is this many pixels larger than a frame, so that each frame starts elsewhere in it."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in px, right and bottom excluded."""


class Lens:
    """Where a point of the table is seen, and what the optics do to a picture."""

    def __init__(self, mat: Mat, noise: Noise, chance: Random) -> None:
        self._noise = noise
        self._chance = chance
        corners = np.array([(0, 0), (mat.w, 0), (mat.w, mat.h), (0, mat.h)], np.float32)
        # Screwed on by hand: a little tilted, a little turned, never twice the same.
        seen = np.array([(52, 34), (1874, 20), (1884, 1050), (36, 1060)], np.float32)
        seen += np.array([(chance.uniform(-6, 6), chance.uniform(-6, 6)) for _ in range(4)], np.float32)
        self.matrix = np.asarray(cv2.getPerspectiveTransform(corners, seen), np.float64)
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        far = ((x - WIDTH / 2) ** 2 + (y - HEIGHT / 2) ** 2) / ((WIDTH / 2) ** 2 + (HEIGHT / 2) ** 2)
        dark = (255 * (1 - 0.22 * far**1.4)).astype(np.uint8)
        self._dark = np.asarray(cv2.merge([dark, dark, dark]), np.uint8)
        bank = np.random.default_rng(chance.getrandbits(32)).standard_normal(
            (HEIGHT + _SLACK, (WIDTH + _SLACK) * 3), np.float32
        )
        bank = np.clip(bank * noise.sensor_sigma + _BIAS + 0.5, 0, 4 * _BIAS)
        self._bank = bank.astype(np.uint8).reshape(HEIGHT + _SLACK, WIDTH + _SLACK, 3)

    def seen(self, points: list[Point]) -> NDArray[np.float32]:
        """Pixels of points in mm, n x 2."""
        flat = np.array(points, np.float32).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(flat, self.matrix), np.float32).reshape(-1, 2)

    def finished(self, sharp: Picture, box: Box, *, whole: bool = False) -> Picture:
        """The part `box` of a sharp picture as the sensor gets it, before noise; `whole`: all of `sharp`."""
        left, top, right, bottom = box
        pad = 4
        x0, y0 = (left, top) if whole else (max(0, left - pad), max(0, top - pad))
        part = sharp if whole else sharp[y0 : bottom + pad, x0 : right + pad]
        soft = cv2.GaussianBlur(part, (0, 0), self._noise.lens_blur, borderType=cv2.BORDER_REPLICATE)
        soft = soft[top - y0 : bottom - y0, left - x0 : right - x0]
        dim = cv2.multiply(soft, self._dark[top:bottom, left:right], scale=1 / 255)
        return np.asarray(cv2.subtract(dim, np.full_like(dim, _BIAS)), np.uint8)

    def exposed(self, clean: Picture) -> Picture:
        """A new frame from a finished picture: noise, flicker, the camera's own compression."""
        source = clean
        if self._noise.flicker:
            gain = 1 + self._chance.gauss(0, self._noise.flicker)
            source = np.asarray(cv2.convertScaleAbs(clean, alpha=gain), np.uint8)
        x, y = self._chance.randrange(_SLACK), self._chance.randrange(_SLACK)
        frame = cv2.add(source, self._bank[y : y + HEIGHT, x : x + WIDTH])
        if self._noise.jpeg:
            _, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self._noise.jpeg])
            return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return np.asarray(frame, np.uint8)
