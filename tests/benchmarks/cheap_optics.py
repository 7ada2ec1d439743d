"""What a cheap camera makes of a scene: lens, sensor, compression, in linear light and apart from any reader.

A scene is float32, H x W, reflectance 0..1 of what each pixel sees; `seen_by_lens` blurs and shades it once,
`exposed` makes any number of frames of it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
"""Linear light, H x W."""
Frame8 = NDArray[np.uint8]
"""A frame as a camera delivers it: H x W x 3, BGR, sRGB gamma."""

_RINGS = 3
"""Blurs between centre and corner; what lies between two of them is mixed."""
_CHANNEL_GAIN = (0.65, 1.0, 0.55)
"""Light that reaches blue, green and red sites of the mosaic under a warm lamp, green = 1."""
_SMOOTHED_PX, _SHARPENED_PX = 5, 1.2
"""_SMOOTHED_PX: width (px) of what is smoothed together. _SHARPENED_PX: blur (px) that is taken back."""
_DEEP = 1023
"""White of the converter, 10 bits."""


@dataclass(frozen=True, slots=True)
class Optics:
    """Lens, sensor and compression.

    `blur` and `corner_blur`: standard deviation in px of lens and anti-alias filter in the middle and in
    the corners; `defocus`: radius in px of the disc of an unfocused point; `motion`: px moved during the
    exposure in a random direction; `full_well` and `read_noise` in electrons (shot noise is the root of
    the electrons); `vignetting`: share of light lost in the corners; `veil`: stray light, share of white;
    `glare`: reflections of lamps, at most this many times white; `jpeg`: quality 1..100, 0 for none.
    `flicker`: depth of a lamp's bands, share of its light. What a camera does to its pictures: `denoise`: grey
    levels below which differences between neighbours are smoothed away; `sharpen`: how much of what a blur
    takes away is added.
    """

    blur: float = 0.55
    corner_blur: float = 0.75
    defocus: float = 0.5
    motion: float = 0.0
    full_well: float = 3500.0
    read_noise: float = 14.0
    vignetting: float = 0.3
    veil: float = 0.02
    glare: float = 0.0
    jpeg: int = 88
    flicker: float = 0.0
    denoise: float = 0.0
    sharpen: float = 0.0


TYPICAL = Optics()
"""A 1080p webcam in a lit room: half of the contrast is left at 0.28 cycles a pixel, noise about 3 of 255."""
POOR = Optics(
    blur=0.75,
    corner_blur=1.1,
    defocus=0.9,
    full_well=1800,
    read_noise=18,
    vignetting=0.45,
    veil=0.06,
    glare=1.2,
    jpeg=75,
)
"""The same in the evening, badly focused, under a lamp that mirrors in the sleeves."""


def seen_by_lens(scene: Plane, optics: Optics, rng: np.random.Generator) -> Plane:
    """Irradiance on the sensor: `scene` blurred more towards the corners, darkened there, with reflections."""
    height, width = scene.shape
    y, x = np.ogrid[:height, :width]
    far = ((2 * x / width - 1) ** 2 + (2 * y / height - 1) ** 2).astype(np.float32) / 2
    direction = float(rng.uniform(0, np.pi))
    lit = scene + _reflections(scene.shape, optics, rng) if optics.glare else scene
    light = np.zeros_like(scene)
    for ring in range(_RINGS):
        at = ring / (_RINGS - 1)
        sigma = optics.blur + at * (optics.corner_blur - optics.blur)
        kernel = spread(sigma, optics.defocus, optics.motion, direction)
        share = np.maximum(0, 1 - np.abs(far - at) * (_RINGS - 1))
        light += share * cv2.filter2D(lit, -1, kernel, borderType=cv2.BORDER_REPLICATE)
    light *= (1 - optics.vignetting * far**1.5) * (1 - optics.veil)
    light += optics.veil
    return light


def exposed(light: Plane, optics: Optics, rng: np.random.Generator, gain: float = 0.85) -> Frame8:
    """One frame: photons counted through a colour mosaic, interpolated, gamma, compressed.

    `gain` is where white paper lands, share of full scale. Every call draws new noise.
    """
    height, width = light.shape
    mosaic = np.ones((2, 2), np.float32)
    mosaic[0, 0], mosaic[1, 1] = _CHANNEL_GAIN[0], _CHANNEL_GAIN[2]
    sites = np.tile(mosaic, (-(-height // 2), -(-width // 2)))[:height, :width]
    if optics.flicker:
        light = light * _bands(height, optics.flicker, rng)
    electrons = np.clip(light * (gain * optics.full_well), 0, 1.2 * optics.full_well) * sites
    sigma = np.sqrt(electrons + optics.read_noise**2)
    electrons += sigma * rng.standard_normal(light.shape, np.float32)
    balanced = np.clip(electrons / sites * (_DEEP / optics.full_well), 0, _DEEP).astype(np.uint16)
    linear = np.asarray(cv2.demosaicing(balanced, cv2.COLOR_BayerRG2BGR_EA), np.uint16)
    frame: Frame8 = _GAMMA[np.minimum(linear, _DEEP)]
    if optics.denoise:
        frame = np.asarray(cv2.bilateralFilter(frame, _SMOOTHED_PX, optics.denoise, _SMOOTHED_PX / 2), np.uint8)
    if optics.sharpen:
        soft = cv2.GaussianBlur(frame, (0, 0), _SHARPENED_PX)
        frame = np.asarray(cv2.addWeighted(frame, 1 + optics.sharpen, soft, -optics.sharpen, 0), np.uint8)
    if optics.jpeg:
        data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, optics.jpeg])[1]
        frame = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return frame


def spread(sigma: float, defocus: float, motion: float, direction: float) -> Plane:
    """The point spread function, square, odd, sum 1: Gaussian of `sigma`, disc of `defocus`, line of `motion`.

    All in px, `direction` of the motion in radians. Computed eight times finer and averaged.
    """
    over = 8
    reach = 1 + int(np.ceil(2.5 * sigma + defocus + motion / 2))
    n = (2 * reach + 1) * over
    at = (np.arange(n, dtype=np.float32) - (n - 1) / 2) / over
    x, y = np.meshgrid(at, at)
    if defocus or motion:
        along = x * np.cos(direction) + y * np.sin(direction)
        across = x * np.sin(direction) - y * np.cos(direction)
        beyond = np.maximum(0, np.abs(along) - motion / 2)
        shape = (np.hypot(beyond, across) <= max(defocus, 1 / over)).astype(np.float32)
        fine = cv2.GaussianBlur(shape, (0, 0), max(0.3, sigma * over), borderType=cv2.BORDER_CONSTANT)
    else:
        fine = np.exp(-(x * x + y * y) / (2 * max(sigma, 0.05) ** 2)).astype(np.float32)
    kernel = cv2.resize(fine, (2 * reach + 1,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _reflections(shape: tuple[int, ...], optics: Optics, rng: np.random.Generator) -> Plane:
    """Soft-edged lamps mirrored in sleeves or gloss: three ellipses, each up to a tenth of the picture wide."""
    height, width = shape[:2]
    small = np.zeros((height // 4 + 1, width // 4 + 1), np.float32)
    for _ in range(3):
        centre = (int(rng.integers(small.shape[1])), int(rng.integers(small.shape[0])))
        axes = tuple(int(a) for a in rng.uniform(0.01, 0.05, 2) * small.shape[1])
        strength = float(rng.uniform(0.3, 1.0)) * optics.glare
        cv2.ellipse(small, centre, axes, float(rng.uniform(0, 180)), 0, 360, strength, -1)
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), 2 + 0.004 * small.shape[1]), np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _bands(height: int, depth: float, rng: np.random.Generator) -> Plane:
    """The light of a flickering lamp, row by row: a rolling shutter sees one to four of its half-waves."""
    waves, phase = float(rng.uniform(1, 4)), float(rng.uniform(0, np.pi))
    rows = np.sin(phase + np.pi * waves * np.arange(height, dtype=np.float32) / height) ** 2
    return np.asarray(1 - depth * rows[:, None], np.float32)


def _srgb() -> NDArray[np.uint8]:
    linear = np.arange(_DEEP + 1) / _DEEP
    curved = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(255 * curved).astype(np.uint8)


_GAMMA = _srgb()
"""Ten-bit linear to eight-bit sRGB (IEC 61966-2-1)."""
