"""Stickers and markers as paper: ink that spreads, wear and tear, and codes of strangers."""

from collections.abc import Callable

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from calibration.sheets.sheet_shapes import Symbol
from tests.benchmarks.cheap_optics import Plane

PRINT_PX_MM = 24.0
"""Dots per mm of the printer: 600 dpi."""
PAPER, INK = 0.82, 0.05
"""Reflectance of white paper and of toner."""
_SPREAD_MM = 0.04
"""How far ink creeps beyond its edge, on average; edges fray by as much."""

Modules = NDArray[np.bool_]
"""n x n, True is black, quiet zone included."""


def symbol_modules(symbol: Symbol) -> Modules:
    """What the sheet prints for a symbol."""
    return np.array(symbol.modules, np.bool_)


def qr_modules(
    content: str, quiet: int = 2, *, version: int | None = None, error: str = "m", boost_error: bool = True
) -> Modules:
    """A QR code as segno makes it, with `quiet` white modules around."""
    code = segno.make_qr(content, version=version, error=error, boost_error=boost_error)
    return np.pad(np.array([list(row) for row in code.matrix], np.uint8), quiet) > 0


def printed(modules: Modules, side_mm: float, rng: np.random.Generator, px_mm: float = PRINT_PX_MM) -> Plane:
    """Reflectance of the printed square, `side_mm` at `px_mm` dots per mm: ink spreads, frays and mottles."""
    n = modules.shape[0]
    side = max(n, round(side_mm * px_mm))
    fine = -(-side // n)
    sharp = np.kron(modules, np.ones((fine, fine), np.bool_)).astype(np.float32)
    ideal = np.asarray(cv2.resize(sharp, (side, side), interpolation=cv2.INTER_AREA), np.float32)
    dots = side / side_mm
    sigma = max(0.6, _SPREAD_MM * dots)
    soft = cv2.GaussianBlur(ideal, (0, 0), sigma)
    fray = cv2.GaussianBlur(rng.standard_normal(ideal.shape, np.float32), (0, 0), 1.0)
    # An edge lies where the blurred ink is 0.5; a lower limit moves it outwards, noise frays it.
    ink = np.clip((soft - float(rng.uniform(0.25, 0.5)) + 0.15 * fray) * 4 + 0.5, 0, 1)
    mottle = cv2.GaussianBlur(rng.standard_normal(ideal.shape, np.float32), (0, 0), 0.15 * dots)
    density = 1 - 0.03 * np.abs(mottle) * dots / 3
    return np.asarray(PAPER + (INK - PAPER) * ink * density, np.float32)


def _scratches(paper: Plane, rng: np.random.Generator) -> None:
    side = paper.shape[0]
    for _ in range(int(rng.integers(1, 6))):
        a, b = rng.uniform(0, side, (2, 2)).astype(int).tolist()
        cv2.line(paper, a, b, float(rng.uniform(0.5, PAPER)), int(rng.integers(1, max(2, side // 18))))


def _stain(paper: Plane, rng: np.random.Generator) -> None:
    side = paper.shape[0]
    mask = np.zeros_like(paper)
    centre = rng.uniform(0.1, 0.9, 2) * side
    axes = rng.uniform(0.08, 0.4, 2) * side
    cv2.ellipse(mask, centre.astype(int).tolist(), axes.astype(int).tolist(), 0, 0, 360, 1.0, -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), side / 40), np.float32)
    paper *= 1 - mask * float(rng.uniform(0.4, 0.95))


def _torn(paper: Plane, rng: np.random.Generator) -> None:
    side = paper.shape[0]
    reach = rng.uniform(0.15, 0.7, 2) * side
    corner = np.array([(0, 0), (reach[0], 0), (0, reach[1])])
    if rng.random() < 0.5:
        corner[:, 0] = side - corner[:, 0]
    if rng.random() < 0.5:
        corner[:, 1] = side - corner[:, 1]
    cv2.fillConvexPoly(paper, corner.astype(np.int32), float(rng.uniform(0.1, 0.7)))


def _scribble(paper: Plane, rng: np.random.Generator) -> None:
    side = paper.shape[0]
    points = (rng.uniform(0, side, (int(rng.integers(4, 12)), 1, 2))).astype(np.int32)
    cv2.polylines(paper, [points], False, INK, max(1, int(side * rng.uniform(0.02, 0.06))), cv2.LINE_AA)


def _covered(paper: Plane, rng: np.random.Generator) -> None:
    """Another card or a thumb lies over one edge."""
    side = paper.shape[0]
    strip = int(side * rng.uniform(0.15, 0.6))
    turned = np.rot90(paper, int(rng.integers(4)))
    turned[:strip] = float(rng.uniform(0.15, 0.7))


def _faded(paper: Plane, rng: np.random.Generator) -> None:
    side = paper.shape[0]
    fade = np.linspace(float(rng.uniform(0.0, 0.5)), float(rng.uniform(0.6, 1.0)), side, dtype=np.float32)
    paper += (PAPER - paper) * fade


def _moved(paper: Plane, rng: np.random.Generator) -> None:
    """Wet ink was wiped: a part is smeared along."""
    side = paper.shape[0]
    width = max(3, int(side * rng.uniform(0.05, 0.25)))
    top = int(rng.uniform(0, 0.7) * side)
    part = slice(top, top + int(side * rng.uniform(0.2, 0.6)))
    paper[part] = cv2.blur(paper[part], (width, 1))


DAMAGES: dict[str, Callable[[Plane, np.random.Generator], None]] = {
    "scratched": _scratches,
    "stained": _stain,
    "torn": _torn,
    "scribbled": _scribble,
    "covered": _covered,
    "faded": _faded,
    "smeared": _moved,
}
"""Each changes a printed square in place, from lightly to beyond reading."""


def damaged(paper: Plane, rng: np.random.Generator) -> Plane:
    """A copy with one or two damages."""
    worn = paper.copy()
    for name in rng.choice(list(DAMAGES), int(rng.integers(1, 3)), replace=False):
        DAMAGES[name](worn, rng)
    return worn


def stranger(rng: np.random.Generator, prefix: str) -> Modules:
    """A square that is none of ours: foreign codes of many makes, cards of ours that do not exist, chaff.

    A code with our `prefix` always ends in Q plus digits, which no card of any game does.
    """
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    def text(n: int) -> str:
        return "".join(rng.choice(list(letters), n))

    level = str(rng.choice(list("LMQH")))
    match int(rng.integers(8)):
        case 0 | 1:
            return qr_modules(f"{prefix}Q{int(rng.integers(100)):02d}", version=1, error="h", boost_error=False)
        case 2:
            return qr_modules(text(int(rng.integers(1, 11))), version=1, error="h", boost_error=False)
        case 3:
            return qr_modules(text(int(rng.integers(1, 11))), version=1, error=level, boost_error=False)
        case 4:
            return qr_modules(f"https://{text(int(rng.integers(5, 20))).lower()}.example/", error=level)
        case 5:
            return ~qr_modules(text(8), quiet=1, version=1, error="h")
        case 6:
            # The three finder patterns and the timing of a real one, data by the toss of a coin.
            modules = qr_modules(text(8), version=1, error="h")
            coin = rng.random(modules.shape) < 0.5
            data = np.zeros_like(modules)
            data[11:15, 2:-2] = True
            data[2:-2, 11:15] = True
            data[11:-2, 11:-2] = True
            return np.where(data, coin, modules)
        case _:
            chaff = np.zeros((25, 25), np.bool_)
            chaff[2:-2, 2:-2] = rng.random((21, 21)) < rng.uniform(0.3, 0.7)
            return chaff
