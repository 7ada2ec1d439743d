"""What befalls a sticker on a table: a lamp's spot, a shadow, a cover, a piece of a foreign code."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.cheap_optics import Plane
from tests.benchmarks.vision_prints import printed, stranger
from tests.benchmarks.vision_table import lay, pose


@dataclass(frozen=True, slots=True)
class Spot:
    """A sticker's middle and side in a picture, px."""

    x: float
    y: float
    side: float


Trouble = Callable[[Plane, Spot, np.random.Generator], None]
"""Changes the light (0 to 1, a window of the picture) around a sticker in place."""


def _grid(scene: Plane, spot: Spot) -> tuple[Plane, Plane]:
    """Columns and rows of `scene` from the sticker's middle, in sides of it."""
    y, x = np.ogrid[: scene.shape[0], : scene.shape[1]]
    return (
        np.asarray((x - spot.x) / spot.side, np.float32),
        np.asarray((y - spot.y) / spot.side, np.float32),
    )


def _edge(distance: NDArray[np.floating[Any]], soft: float) -> Plane:
    """1 where `distance` is below zero, 0 above; the step is `soft` wide."""
    return np.asarray(np.clip(0.5 - distance / max(soft, 1e-3), 0, 1), np.float32)


def _clean(_: Plane, __: Spot, ___: np.random.Generator) -> None:
    """Nothing."""


def _bright_spots(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """One to four mirrored lamps or patches of sun, sharp or soft, up to four times as bright as paper."""
    x, y = _grid(scene, spot)
    for _ in range(int(rng.integers(1, 4))):
        at = rng.uniform(-0.65, 0.55, 2)
        radius, stretch = float(rng.uniform(0.03, 0.28)), float(rng.uniform(0.4, 1))
        lean = float(rng.uniform(0, np.pi))
        u = (x - at[0]) * np.cos(lean) + (y - at[1]) * np.sin(lean)
        v = (y - at[1]) * np.cos(lean) - (x - at[0]) * np.sin(lean)
        share = _edge(np.hypot(u, v / stretch) - radius, float(rng.uniform(0.01, 0.4)))
        scene += float(rng.uniform(0.2, 3.0)) * share


def _glitter(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """A creased sleeve: many small reflections, each about as large as a module."""
    x, y = _grid(scene, spot)
    for _ in range(int(rng.integers(3, 30))):
        at = rng.uniform(-0.5, 0.5, 2)
        share = _edge(np.hypot(x - at[0], y - at[1]) - float(rng.uniform(0.01, 0.06)), 0.03)
        scene += float(rng.uniform(0.2, 1.5)) * share


def _veil(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """A window mirrored in the sleeve: a wide soft glare."""
    x, y = _grid(scene, spot)
    at, width = rng.uniform(-0.7, 0.7, 2), rng.uniform(0.3, 1.2, 2)
    light = np.exp(-(((x - at[0]) / width[0]) ** 2) - ((y - at[1]) / width[1]) ** 2)
    scene += float(rng.uniform(0.1, 1.2)) * light


def _streak(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """A tube lamp mirrored: one or two bright bands across."""
    x, y = _grid(scene, spot)
    lean = float(rng.uniform(0, np.pi))
    for _ in range(int(rng.integers(1, 3))):
        across = np.abs(x * np.cos(lean) + y * np.sin(lean) - float(rng.uniform(-0.5, 0.5)))
        share = _edge(across - float(rng.uniform(0.02, 0.12)), float(rng.uniform(0.01, 0.2)))
        scene += float(rng.uniform(0.3, 2.5)) * share * _edge(np.hypot(x, y) - 1.2, 0.3)


def _shadow(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """A hand's or a glass's shadow over a part, its edge sharp to soft."""
    x, y = _grid(scene, spot)
    lean = float(rng.uniform(0, 2 * np.pi))
    along = x * np.cos(lean) + y * np.sin(lean) - float(rng.uniform(-0.4, 0.4))
    share = _edge(along, float(rng.uniform(0.01, 0.6)))
    scene *= 1 - float(rng.uniform(0.4, 0.93)) * share * _edge(np.hypot(x, y) - 1.2, 0.3)


def _lattice(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """The shadow of a blind or of lace: bars two to eight modules apart."""
    x, y = _grid(scene, spot)
    lean, period = float(rng.uniform(0, np.pi)), float(rng.uniform(0.08, 0.35))
    wave = np.sin(2 * np.pi * (x * np.cos(lean) + y * np.sin(lean)) / period + float(rng.uniform(0, 6)))
    bars = np.clip(0.5 + wave * float(rng.uniform(0.6, 4)), 0, 1)
    scene *= 1 - float(rng.uniform(0.2, 0.75)) * bars * _edge(np.hypot(x, y) - 1.2, 0.3)


def _half_covered(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """The edge of a card or cloth lies over a part, plain or striped."""
    x, y = _grid(scene, spot)
    lean = float(rng.uniform(0, 2 * np.pi))
    along = x * np.cos(lean) + y * np.sin(lean) - float(rng.uniform(0.1, 0.5))
    over = (1 - _edge(along, 0.02)) * _edge(np.hypot(x, y) - 0.9, 0.05)
    tone = np.full_like(scene, float(rng.uniform(0.03, 0.85)))
    if rng.random() < 0.4:
        stripes = np.sin(x * float(rng.uniform(-40, 40)) + y * float(rng.uniform(-40, 40)))
        tone *= 1 + 0.5 * np.sign(stripes)
    scene += (tone - scene) * over


def _finger(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """A finger tip or two over an edge."""
    x, y = _grid(scene, spot)
    for _ in range(int(rng.integers(1, 3))):
        lean, reach = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.1, 0.5))
        u = x * np.cos(lean) + y * np.sin(lean) - reach
        v = y * np.cos(lean) - x * np.sin(lean) - float(rng.uniform(-0.3, 0.3))
        width = float(rng.uniform(0.15, 0.35))
        inside = np.maximum(np.abs(v) - width, np.where(u < width, np.hypot(u - width, v) - width, -1))
        scene += (
            (float(rng.uniform(0.15, 0.6)) - scene) * _edge(inside, 0.04) * _edge(np.hypot(x, y) - 1.1, 0.1)
        )


def _foreign_over(scene: Plane, spot: Spot, rng: np.random.Generator) -> None:
    """A piece of a foreign code lies over a part."""
    paper = printed(stranger(rng, "SP1"), 15, rng, 6)
    cut = paper[: int(paper.shape[0] * rng.uniform(0.3, 1)), : int(paper.shape[1] * rng.uniform(0.3, 1))]
    side = spot.side * float(rng.uniform(0.5, 1.1))
    off = rng.uniform(0.4, 0.9, 2) * rng.choice([-1, 1], 2) * spot.side
    lay(scene, cut, _pose_px(spot.x + off[0], spot.y + off[1], float(rng.uniform(0, 360)), side, cut))


def _pose_px(x: float, y: float, angle: float, side: float, paper: Plane) -> NDArray[np.float64]:
    rows, columns = paper.shape
    return pose(x, y, angle, side, side * rows / columns, paper.shape)


TROUBLES: dict[str, Trouble] = {
    "clean": _clean,
    "bright spots": _bright_spots,
    "glitter": _glitter,
    "veil": _veil,
    "streak": _streak,
    "shadow": _shadow,
    "lattice": _lattice,
    "half covered": _half_covered,
    "finger": _finger,
    "foreign code over": _foreign_over,
}
"""What befalls a sticker."""
