"""The camera of the hostile pictures: a pinhole that may be tilted and pushed; its lens, light and sensor spoil
what it shows."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.cheap_optics import Plane, spread
from tests.benchmarks.vision_table import MAT_H, MAT_W

Gray = NDArray[np.uint8]
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the mat. Picture in px; angles in degrees; `fill`: share of the picture the mat fills.

    `towards`: direction (degrees) in which it is tilted. `fov`: degrees across the picture. `bend`: k1 of the
    lens at a focal length in px. `dx`, `dy`: px by which the picture was pushed, `zoom` its scale.
    """

    width: int = 1920
    height: int = 1080
    tilt: float = 0.0
    towards: float = 90.0
    roll: float = 0.0
    fov: float = 66.0
    bend: float = 0.0
    fill: float = 0.94
    dx: float = 0.0
    dy: float = 0.0
    zoom: float = 1.0

    @property
    def focal(self) -> float:
        """Focal length, px."""
        return float(self.width / 2 / np.tan(np.radians(self.fov / 2)))

    def matrix(self) -> NDArray[np.float64]:
        """Millimetres of the mat to px of a picture without distortion."""
        tilt, towards, roll = np.radians((self.tilt, self.towards, self.roll))
        axis = np.array((np.sin(towards), -np.cos(towards), 0.0)) * tilt
        turned = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array((0.0, 0.0, roll)))[0]
        corners = np.array([(x, y, 0.0) for x in (-MAT_W / 2, MAT_W / 2) for y in (-MAT_H / 2, MAT_H / 2)])
        low, high, at = 0.0, 1e5, np.zeros(3)
        lens = np.diag((self.focal, self.focal, 1.0))
        for _ in range(40):
            away = (low + high) / 2
            seen = corners @ turned.T + (0, 0, away)
            if (seen[:, 2] <= 1).any():
                low = away
                continue
            seen = seen @ lens.T
            seen = seen[:, :2] / seen[:, 2:]
            size = np.ptp(seen, axis=0) / (self.width, self.height)
            low, high = (low, away) if size.max() < self.fill else (away, high)
            at = np.array((*-(seen.max(axis=0) + seen.min(axis=0)) / 2, 0.0))
        pose = np.column_stack((turned[:, :2], (0, 0, away)))
        centre = np.array(((self.width - 1) / 2 + self.dx, (self.height - 1) / 2 + self.dy))
        shift = np.array([[1, 0, centre[0]], [0, 1, centre[1]], [0, 0, 1.0]])
        scale = np.array([[self.zoom, 0, self.zoom * at[0]], [0, self.zoom, self.zoom * at[1]], [0, 0, 1]])
        middle = np.array([[1, 0, -MAT_W / 2], [0, 1, -MAT_H / 2], [0, 0, 1]])
        return np.asarray(shift @ scale @ lens @ pose @ middle, np.float64)

    def bent(self, points: Points) -> Points:
        """Where the lens shows points (n x 2 px) of a picture without distortion."""
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2], np.float64)
        off = points - middle
        return np.asarray(
            middle + off * (1 + self.bend * ((off**2).sum(axis=1, keepdims=True) / self.focal**2))
        )

    def to_px(self, places: Points) -> Points:
        """n x 2 mm of the mat to n x 2 px."""
        straight = cv2.perspectiveTransform(np.asarray(places, np.float64)[None], self.matrix())[0]
        return self.bent(np.asarray(straight, np.float64))

    def pushed(self, rng: np.random.Generator, px: float, degrees: float) -> "Camera":
        """This camera after a push of about so many px and degrees."""
        dx, dy = rng.normal(0, px, 2)
        return replace(
            self,
            dx=self.dx + float(dx),
            dy=self.dy + float(dy),
            roll=self.roll + float(rng.normal(0, degrees)),
            tilt=self.tilt + abs(float(rng.normal(0, degrees))),
            zoom=self.zoom * float(np.exp(rng.normal(0, px / 3000))),
        )


@dataclass(slots=True)
class Spoiling:
    """What lens, light and sensor do to a picture. Blur, `defocus` (radius) and `motion` in px.

    `ghost`: px by which a second, fainter exposure is shifted, as temporal noise filters mix frames.
    `glare`: (x, y, radius px, strength by white) of mirrored lamps. `shadow`: share of light that half of the
    picture loses. `full_well`, `read_noise` in electrons. `jpeg`: quality.
    """

    blur: float = 0.6
    defocus: float = 0.4
    motion: float = 0.0
    direction: float = 0.0
    ghost: float = 0.0
    glare: list[tuple[float, float, float, float]] = field(default_factory=list)
    shadow: float = 0.0
    full_well: float = 3500.0
    read_noise: float = 12.0
    gain: float = 0.8
    sharpen: float = 0.0
    jpeg: int = 88
    mirrored: bool = False


def light_of(drawing: Gray, px_mm: float, beyond_mm: float, camera: Camera, spoiling: Spoiling) -> Plane:
    """What falls on the sensor, linear, of a table drawn from above.

    `px_mm`: scale of the drawing; `beyond_mm`: how far it reaches beyond the mat on each side.
    """
    matrix = camera.matrix()
    widths = (camera.width, camera.height)
    beyond = 1.5 if camera.bend else 1.0
    inner = [2 * round(side * (beyond - 1) / 2) for side in widths]
    size = (widths[0] + inner[0], widths[1] + inner[1])
    middle = matrix @ np.array((MAT_W / 2, MAT_H / 2, 1.0))
    beside = matrix @ np.array((MAT_W / 2 + 1, MAT_H / 2, 1.0))
    scale = float(np.hypot(*(beside[:2] / beside[2] - middle[:2] / middle[2])))
    over = max(1, round(px_mm / scale))
    shift = np.array([[1, 0, inner[0] / 2], [0, 1, inner[1] / 2], [0, 0, 1.0]])
    fine = np.array([[over, 0, over / 2 - 0.5], [0, over, over / 2 - 0.5], [0, 0, 1.0]])
    drawn = np.array(
        [[1 / px_mm, 0, 0.5 / px_mm - beyond_mm], [0, 1 / px_mm, 0.5 / px_mm - beyond_mm], [0, 0, 1]]
    )
    seen = cv2.warpPerspective(
        drawing,
        fine @ shift @ matrix @ drawn,
        (size[0] * over, size[1] * over),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    light = (cv2.resize(seen, size, interpolation=cv2.INTER_AREA) / np.float32(255)).astype(np.float32)
    if camera.bend:
        light = _through_lens(light, camera)
    return _spoiled(light, spoiling)


def _through_lens(light: Plane, camera: Camera) -> Plane:
    """What the lens shows of a picture without distortion, half as large again as its own."""
    last = min(2.0, np.sqrt(-1 / (3 * camera.bend))) if camera.bend < 0 else 2.0
    radii = np.linspace(0, last, 2048)
    y, x = np.mgrid[: camera.height, : camera.width].astype(np.float32)
    x, y = x - (camera.width - 1) / 2, y - (camera.height - 1) / 2
    seen = np.maximum(np.hypot(x, y) / camera.focal, 1e-9)
    grown = np.interp(seen, radii * (1 + camera.bend * radii**2), radii) / seen
    across = (x * grown + (light.shape[1] - 1) / 2).astype(np.float32)
    down = (y * grown + (light.shape[0] - 1) / 2).astype(np.float32)
    return np.asarray(
        cv2.remap(light, across, down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _spoiled(light: Plane, spoiling: Spoiling) -> Plane:
    """Light after lamps, shadow, lens and motion."""
    height, width = light.shape
    lit: NDArray[np.floating] = light
    y, x = np.ogrid[:height, :width]
    if spoiling.shadow:
        lit = lit * np.where(x * 0.7 + y > 0.6 * (height + width), np.float32(1 - spoiling.shadow), 1)
    for cx, cy, radius, strength in spoiling.glare:
        spot = strength * np.exp(
            -((((x - cx) ** 2 + (y - cy) ** 2) / (1.4 * radius**2)).astype(np.float32) ** 2)
        )
        lit = lit + spot
    kernel = spread(spoiling.blur, spoiling.defocus, spoiling.motion, spoiling.direction)
    soft = np.asarray(cv2.filter2D(lit, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)
    if spoiling.ghost:
        way = spoiling.ghost * np.array((np.cos(spoiling.direction), np.sin(spoiling.direction)))
        matrix = np.array([[1, 0, way[0]], [0, 1, way[1]]])
        other = cv2.warpAffine(soft, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        soft = np.asarray(0.62 * soft + 0.38 * other, np.float32)
    far = (((2 * x / width - 1) ** 2 + (2 * y / height - 1) ** 2) / 2).astype(np.float32)
    return np.asarray(soft * (1 - 0.3 * far), np.float32)


_LINEAR = np.arange(4096) / 4095
_SRGB = np.round(
    255 * np.where(_LINEAR <= 0.0031308, 12.92 * _LINEAR, 1.055 * _LINEAR ** (1 / 2.4) - 0.055)
).astype(np.uint8)


def exposed(light: Plane, spoiling: Spoiling, rng: np.random.Generator) -> Gray:
    """One exposure in grey: photons counted, gamma, sharpening as cameras do it, JPEG."""
    electrons = light * np.float32(spoiling.gain * spoiling.full_well)
    noise = cv2.GaussianBlur(rng.standard_normal(light.shape, np.float32), (0, 0), 0.5) * np.float32(1.3)
    electrons = electrons + np.sqrt(np.maximum(electrons, 0) + np.float32(spoiling.read_noise**2)) * noise
    linear = np.clip(electrons * np.float32(4095 / spoiling.full_well), 0, 4095).astype(np.uint16)
    gray = _SRGB[linear]
    if spoiling.sharpen:
        soft = cv2.GaussianBlur(gray, (0, 0), 1.3)
        gray = cv2.addWeighted(gray, 1 + spoiling.sharpen, soft, -spoiling.sharpen, 0)
    if spoiling.mirrored:
        gray = np.ascontiguousarray(gray[:, ::-1])
    data = cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, spoiling.jpeg])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)
