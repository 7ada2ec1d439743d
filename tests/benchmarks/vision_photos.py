"""Photographs of QR codes: made ones of many kinds of trouble, and a folder of real ones with their texts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import BadInputError
from tests.benchmarks.cheap_optics import TYPICAL, Frame8, Optics, Plane, exposed, seen_by_lens
from tests.benchmarks.vision_prints import DAMAGES, Modules, printed, qr_modules
from tests.benchmarks.vision_table import lay

_PHONE = replace(TYPICAL, jpeg=90)
_DENOISE, _SHARPEN, _JPEG = (0.0, 24.0), (0.0, 1.5), (55, 93)
"""Ranges of what phones and messengers do to a picture."""
_DENOISE_SMALL = (12.0, 40.0)
_LONGEST = 2400
"""Px: the longest side of a made photograph."""
_SAG = (-0.25, 0.25)
"""How a bottle's rim bows, seen from above or below: share of a label's side."""
_SCREEN_PX = (1.6, 3.6)
"""Pixels of a screen in px of the photograph: near two of them they make moire."""
_DOTS = 10
"""Printer's dots per module; photographs show fewer pixels than that."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture (BGR) of some kind and the texts that are in it."""

    kind: str
    image: Frame8
    texts: tuple[str, ...]


@dataclass(slots=True)
class _Trouble:
    """How a photograph is made; every kind changes some of it."""

    codes: int = 1
    px_per_module: float = 6.0
    version: int | None = None
    level: str = "m"
    quiet: int = 4
    tilt: float = 0.15
    bend: float = 0.0
    aside: float = 0.0
    waves: float = 0.0
    screen: float = 0.0
    finger: bool = False
    shadow: float = 0.0
    damage: bool = False
    inverted: bool = False
    ink: float = 1.0
    fold: float = 0.0
    gain: float = 0.85
    optics: Optics = _PHONE


_Maker = Callable[[_Trouble, np.random.Generator], None]


def _plain(_: _Trouble, __: np.random.Generator) -> None:
    """A code in the hand."""


def _askew(how: _Trouble, rng: np.random.Generator) -> None:
    how.tilt = float(rng.uniform(0.25, 0.6))
    how.px_per_module = float(rng.uniform(4, 9))


def _small(how: _Trouble, rng: np.random.Generator) -> None:
    how.px_per_module = float(rng.uniform(1.3, 3.2))
    # Modules of this size are lost when a camera removes noise.
    how.optics = replace(how.optics, denoise=float(rng.uniform(*_DENOISE_SMALL)))


def _large(how: _Trouble, rng: np.random.Generator) -> None:
    how.px_per_module = float(rng.uniform(18, 30))


def _many(how: _Trouble, rng: np.random.Generator) -> None:
    how.codes = int(rng.integers(6, 13))
    how.px_per_module = float(rng.uniform(2.8, 6))


def _dense(how: _Trouble, rng: np.random.Generator) -> None:
    how.version = int(rng.integers(10, 26))
    how.px_per_module = float(rng.uniform(2.4, 5))


def _shaded(how: _Trouble, rng: np.random.Generator) -> None:
    how.shadow = float(rng.uniform(0.6, 0.93))


def _dim(how: _Trouble, rng: np.random.Generator) -> None:
    how.gain = float(rng.uniform(0.03, 0.15))
    how.optics = replace(how.optics, full_well=2000.0)


def _dazzling(how: _Trouble, rng: np.random.Generator) -> None:
    how.gain = float(rng.uniform(1.5, 5))
    how.optics = replace(how.optics, veil=float(rng.uniform(0.02, 0.12)))


def _glaring(how: _Trouble, rng: np.random.Generator) -> None:
    how.optics = replace(how.optics, glare=float(rng.uniform(1, 4)), veil=0.1)


def _curved(how: _Trouble, rng: np.random.Generator) -> None:
    how.bend = float(rng.uniform(0.2, 1.0))
    how.aside = float(rng.uniform(-0.35, 0.35))
    how.optics = replace(how.optics, glare=float(rng.uniform(0, 1.5)))


def _unfocused(how: _Trouble, rng: np.random.Generator) -> None:
    how.px_per_module = float(rng.uniform(4, 8))
    how.optics = replace(how.optics, defocus=how.px_per_module * float(rng.uniform(0.35, 0.8)))


def _shaken(how: _Trouble, rng: np.random.Generator) -> None:
    how.px_per_module = float(rng.uniform(4, 8))
    how.optics = replace(how.optics, motion=how.px_per_module * float(rng.uniform(0.6, 1.7)))


def _worn(how: _Trouble, rng: np.random.Generator) -> None:
    how.damage = True
    how.level = str(rng.choice(list("mqh")))


def _negative(how: _Trouble, _: np.random.Generator) -> None:
    how.inverted = True


def _tight(how: _Trouble, rng: np.random.Generator) -> None:
    how.quiet = int(rng.integers(0, 2))
    how.px_per_module = float(rng.uniform(3, 7))


def _curled(how: _Trouble, rng: np.random.Generator) -> None:
    how.waves = float(rng.uniform(0.005, 0.03))
    how.px_per_module = float(rng.uniform(3, 8))


def _in_hand(how: _Trouble, rng: np.random.Generator) -> None:
    how.finger = True
    how.px_per_module = float(rng.uniform(2.5, 7))
    how.shadow = float(rng.uniform(0.2, 0.6))


def _flickering(how: _Trouble, rng: np.random.Generator) -> None:
    how.optics = replace(how.optics, flicker=float(rng.uniform(0.3, 0.95)))


def _on_screen(how: _Trouble, rng: np.random.Generator) -> None:
    how.screen = float(rng.uniform(0.3, 0.9))
    how.px_per_module = float(rng.uniform(3, 10))
    how.optics = replace(how.optics, veil=float(rng.uniform(0.02, 0.1)))


def _faint(how: _Trouble, rng: np.random.Generator) -> None:
    """A receipt that has faded, or a printer out of ink."""
    how.ink = float(rng.uniform(0.12, 0.5))


def _folded(how: _Trouble, rng: np.random.Generator) -> None:
    how.fold = float(rng.uniform(0.15, 0.6))
    how.px_per_module = float(rng.uniform(3, 8))


KINDS: dict[str, _Maker] = {
    "plain": _plain,
    "askew": _askew,
    "small": _small,
    "large": _large,
    "many": _many,
    "dense": _dense,
    "shaded": _shaded,
    "dim": _dim,
    "dazzling": _dazzling,
    "glaring": _glaring,
    "curved": _curved,
    "unfocused": _unfocused,
    "shaken": _shaken,
    "worn": _worn,
    "negative": _negative,
    "tight": _tight,
    "curled": _curled,
    "in hand": _in_hand,
    "flickering": _flickering,
    "on screen": _on_screen,
    "faint": _faint,
    "folded": _folded,
}
"""What is wrong with a photograph."""
_TWO_TROUBLES = 1 / 3
"""_TWO_TROUBLES: share of photographs with a second trouble."""
REAL_RATE, REAL_GAIN = 0.784, 0.046
"""Of 631 codes of 297 real photographs (BoofCV's public set): the share that zxing-cpp reads, and what
`companion read` reads besides. Made photographs should show the same."""


def made_photos(count: int, seed: int) -> Iterator[Photo]:
    """`count` photographs, the kinds in turn; the same for the same seed."""
    kinds = list(KINDS)
    for number in range(count):
        yield made_photo(kinds[number % len(kinds)], np.random.default_rng((seed, number)))


def made_photo(kind: str, rng: np.random.Generator) -> Photo:
    """One photograph of a kind."""
    how = _Trouble(px_per_module=float(rng.uniform(3, 10)), level=str(rng.choice(list("lmqh"))))
    how.optics = replace(
        how.optics,
        denoise=float(rng.uniform(*_DENOISE)),
        sharpen=float(rng.uniform(*_SHARPEN)),
        jpeg=int(rng.integers(*_JPEG)),
    )
    if rng.random() < _TWO_TROUBLES:
        KINDS[str(rng.choice(list(KINDS)))](how, rng)
    KINDS[kind](how, rng)
    texts, papers = [], []
    for _ in range(how.codes):
        text, modules = _code(how, rng)
        texts.append(text)
        papers.append(_paper(modules, how, rng))
    scene = _scene(papers, how, rng)
    light = seen_by_lens(scene, how.optics, rng)
    return Photo(kind, exposed(light, how.optics, rng, how.gain), tuple(texts))


def photos_in(folder: Path) -> list[tuple[Path, tuple[str, ...]]]:
    """Pictures of a folder that have a text file of the same name beside them, one code's text in each line."""
    if not folder.is_dir():
        raise BadInputError("is not a folder", where=str(folder), next_step="name a folder of photographs")
    found = []
    for picture in sorted(folder.rglob("*")):
        truth = picture.with_suffix(".txt")
        if picture.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp", ".bmp") and truth.is_file():
            lines = truth.read_text("utf-8", "replace").splitlines()
            found.append((picture, tuple(line for line in lines if line.strip())))
    if not found:
        raise BadInputError(
            "has no picture with a text file of the same name beside it",
            where=str(folder),
            next_step="write the texts of the codes in NAME.jpg into NAME.txt, one a line",
        )
    return found


def _code(how: _Trouble, rng: np.random.Generator) -> tuple[str, Modules]:
    letters = list("abcdefghijklmnopqrstuvwxyz0123456789")
    length = int(rng.integers(4, 40)) if how.version is None else 17 * how.version - 120
    word = "".join(rng.choice(letters, max(4, length)))
    text = f"https://{word[:12]}.example/{word[12:]}" if rng.random() < 0.6 else word
    level = "l" if how.version is not None else how.level
    return text, qr_modules(text, quiet=how.quiet, version=how.version, error=level, boost_error=False)


def _paper(modules: Modules, how: _Trouble, rng: np.random.Generator) -> Plane:
    paper = printed(modules, 0.5 * modules.shape[0], rng, px_mm=2 * _DOTS)
    if how.damage:
        list(DAMAGES.values())[int(rng.integers(len(DAMAGES)))](paper, rng)
    if how.inverted:
        paper = (0.87 - paper).astype(np.float32)
    if how.ink < 1:
        paper = (paper.max() - (paper.max() - paper) * how.ink).astype(np.float32)
    if how.fold:
        paper = _crease(paper, how.fold, rng)
    if how.waves:
        paper = _curl(paper, how.waves, rng)
    if how.bend:
        # The label of a bottle, standing or lying: its sides turn away, the farther one more.
        turns = int(rng.integers(4))
        paper = np.rot90(paper, turns)
        side = paper.shape[0]
        ends = np.sin(how.aside - how.bend), np.sin(how.aside + how.bend)
        at = np.linspace(*ends, side, dtype=np.float32)
        along = ((np.arcsin(at) - how.aside) / how.bend + 1) / 2 * (side - 1)
        sag = float(rng.uniform(*_SAG)) * side * (1 - np.cos(np.arcsin(at)))
        x = np.tile(along.astype(np.float32), (side, 1))
        y = np.arange(side, dtype=np.float32)[:, None] - sag + sag.max() / 2
        paper = np.asarray(
            cv2.remap(paper, x, y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        )
        paper = np.ascontiguousarray(np.rot90(paper * np.cos(np.arcsin(at)), -turns))
    return paper


def _scene(papers: list[Plane], how: _Trouble, rng: np.random.Generator) -> Plane:
    """The papers on a page or wall with other print, sized so that modules get their pixels."""
    columns = int(np.ceil(np.sqrt(len(papers))))
    rows = -(-len(papers) // columns)
    room = _LONGEST / (1.4 * columns * max(paper.shape[0] for paper in papers))
    sides = [paper.shape[0] * min(how.px_per_module / _DOTS, room) for paper in papers]
    cell = max(sides) * 1.4
    width = int(np.clip(columns * cell * rng.uniform(1.05, 3), 640, _LONGEST))
    height = int(np.clip(max(rows * cell * 1.05, width * 0.7), 480, _LONGEST))
    scene = _surroundings((height, width), rng)
    left = rng.uniform(0, max(1.0, width - columns * cell))
    top = rng.uniform(0, max(1.0, height - rows * cell))
    turn = float(rng.uniform(0, 360)) if rng.random() < 0.6 else float(rng.normal(0, 8))
    for number, (paper, side) in enumerate(zip(papers, sides, strict=True)):
        middle = np.array([left + (number % columns + 0.5) * cell, top + (number // columns + 0.5) * cell])
        lay(scene, paper, _view(paper.shape[0], side, middle, turn, how.tilt, rng))
        if how.finger:
            _hold(scene, middle, side, rng)
    if how.screen:
        scene *= _screen((height, width), how.screen, rng)
    if how.shadow:
        scene *= _shadow((height, width), how.shadow, rng)
    return scene


def _curl(paper: Plane, waves: float, rng: np.random.Generator) -> Plane:
    """Paper that does not lie flat: it rises and falls by this share of its side, and its slopes are shaded."""
    side = paper.shape[0]
    y, x = np.mgrid[:side, :side].astype(np.float32) / side
    lean, phase = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0, 2 * np.pi))
    along = (x * np.cos(lean) + y * np.sin(lean)) * float(rng.uniform(3, 9)) + phase
    off = waves * side * np.sin(along)
    across = np.asarray(x * side + off * np.cos(lean), np.float32)
    down = np.asarray(y * side + off * np.sin(lean), np.float32)
    bent = cv2.remap(paper, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent * (0.8 + 0.2 * np.cos(along)), np.float32)


def _crease(paper: Plane, fold: float, rng: np.random.Generator) -> Plane:
    """Paper folded once: beyond the crease it leans away by `fold` radians, shorter and in other light."""
    side = paper.shape[0]
    y, x = np.mgrid[:side, :side].astype(np.float32)
    lean = float(rng.uniform(0, 2 * np.pi))
    across = (
        (x - side / 2) * np.cos(lean) + (y - side / 2) * np.sin(lean) - float(rng.uniform(-0.3, 0.3)) * side
    )
    beyond = np.maximum(across, 0)
    further = beyond * (1 / np.cos(fold) - 1)
    at = np.asarray(x + further * np.cos(lean), np.float32), np.asarray(y + further * np.sin(lean), np.float32)
    bent = cv2.remap(paper, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    light = np.cos(fold) if rng.random() < 0.5 else 2 - np.cos(fold)
    return np.asarray(np.where(across > 0, bent * light, bent), np.float32)


def _hold(scene: Plane, middle: np.ndarray, side: float, rng: np.random.Generator) -> None:
    """A thumb on one edge of a paper: it covers the quiet zone, and a module or two."""
    angle = float(rng.uniform(0, 2 * np.pi))
    out = np.array([np.cos(angle), np.sin(angle)])
    tip = middle + out * side * float(rng.uniform(0.5, 0.62))
    length = side * 0.5
    centre = tuple(int(one) for one in tip + out * length)
    axes = (int(length), int(side * float(rng.uniform(0.1, 0.2))))
    shade = float(rng.uniform(0.2, 0.45))
    cv2.ellipse(scene, centre, axes, float(np.degrees(angle)), 0, 360, shade, -1, cv2.LINE_AA)


def _view(
    n: int, side: float, middle: np.ndarray, turn: float, tilt: float, rng: np.random.Generator
) -> np.ndarray:
    """Texture px to scene px: turned, and seen askew so that one edge is up to `tilt` shorter."""
    square = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    depth = 1 + tilt * square @ np.array([np.cos(lean := float(rng.uniform(0, 2 * np.pi))), np.sin(lean)])
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    seen = (square / depth[:, None]) @ np.array([[cos, sin], [-sin, cos]]) * side + middle
    corners = np.array([(-0.5, -0.5), (n - 0.5, -0.5), (n - 0.5, n - 0.5), (-0.5, n - 0.5)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners, seen.astype(np.float32)))


def _surroundings(shape: tuple[int, int], rng: np.random.Generator) -> Plane:
    height, width = shape
    ground = np.full(shape, int(rng.integers(60, 220)), np.uint8)
    for _ in range(int(rng.integers(5, 60))):
        a = (int(rng.integers(width)), int(rng.integers(height)))
        b = (int(rng.integers(width)), int(rng.integers(height)))
        shade = int(rng.integers(10, 230))
        match int(rng.integers(3)):
            case 0:
                cv2.rectangle(ground, a, b, shade, int(rng.choice([-1, 2, 6])))
            case 1:
                cv2.line(ground, a, b, shade, int(rng.integers(1, 12)), cv2.LINE_AA)
            case _:
                words = "".join(rng.choice(list("abcdefghiklmnorstuvw "), 22))
                cv2.putText(ground, words, a, cv2.FONT_HERSHEY_SIMPLEX, float(rng.uniform(0.4, 1.5)), shade, 2)
    grain = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), 1.0)
    return np.asarray(np.clip(ground / 255 * 0.85 * (1 + 0.1 * grain), 0.01, 0.95), np.float32)


def _screen(shape: tuple[int, int], depth: float, rng: np.random.Generator) -> Plane:
    """The dark gaps between a screen's pixels, a little turned against those of the photograph."""
    y, x = np.mgrid[: shape[0], : shape[1]].astype(np.float32)
    lean, period = float(rng.normal(0, 0.1)), float(rng.uniform(*_SCREEN_PX))
    across = np.cos(2 * np.pi / period * (x * np.cos(lean) + y * np.sin(lean)))
    down = np.cos(2 * np.pi / period * (y * np.cos(lean) - x * np.sin(lean)))
    return np.asarray(1 - depth * (1 - (0.5 + 0.5 * across) * (0.5 + 0.5 * down)), np.float32)


def _shadow(shape: tuple[int, int], depth: float, rng: np.random.Generator) -> Plane:
    """A half plane or a hand-wide band in shade, its edge sharp to soft."""
    height, width = shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle = float(rng.uniform(0, 2 * np.pi))
    along = (x - width / 2) * np.cos(angle) + (y - height / 2) * np.sin(angle)
    soft = float(rng.uniform(1, 0.1 * width))
    return np.asarray(1 - depth / (1 + np.exp(np.clip(along / soft, -40, 40))), np.float32)
