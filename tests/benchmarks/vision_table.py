"""A table under a camera: cards with stickers or markers, strangers among them, seen askew from above."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheets.sheet_shapes import marker_at, sticker_at
from companion.games.appearance import PhysicalCard
from tests.benchmarks.cheap_optics import Frame8, Optics, Plane, exposed, seen_by_lens
from tests.benchmarks.vision_prints import PRINT_PX_MM, damaged, printed, stranger, symbol_modules
from vision.mat_geometry import Mat, MatMarker, Zone

COLUMNS, ROWS = 9, 5
"""45 cards, as many as a table holds late in a game."""
MAT_W, MAT_H = 960.0, 540.0
_EDGE = 60.0
"""Left and right of the cards, mm: the corner markers' place."""
_CELL_W, _CELL_H = (MAT_W - 2 * _EDGE) / COLUMNS, MAT_H / ROWS
CARD_W, CARD_H = 56.0, 87.0
_ART_PX_MM = 4.0
_FIELD_OF_VIEW = 66.0
"""Degrees across the picture: a usual webcam."""
_RADII = 4096
"""Radii between which the bending is taken for straight, to take bent points back."""
_FIELD = 1.5
"""A bent lens sees more than a straight one would: sides of what it is shown, by those of the picture."""
OURS, DAMAGED, STRANGER = "ours", "damaged", "stranger"


@dataclass(frozen=True, slots=True)
class CameraView:
    """A camera above the mat: picture in px, scale in px/mm in the middle, tilt and turn in degrees.

    `bend` is k1 of its lens: points at r times the focal length from the middle are seen at r (1 + bend r²).
    """

    width: int
    height: int
    px_per_mm: float
    tilt: float
    turn: float
    bend: float = 0.0

    @classmethod
    def at_random(
        cls, width: int, height: int, px_per_mm: float, rng: np.random.Generator, bend: float = 0.0
    ) -> "CameraView":
        """Fixed by hand: tilted up to 8 degrees, turned up to 1."""
        return cls(width, height, px_per_mm, float(rng.uniform(0, 8)), float(rng.uniform(-1, 1)), bend)

    @property
    def focal(self) -> float:
        """Focal length, px."""
        return float(self.width / 2 / np.tan(np.radians(_FIELD_OF_VIEW / 2)))

    def bent(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Where the lens shows points (n x 2 px) of a picture without distortion."""
        middle = np.array([(self.width - 1) / 2, (self.height - 1) / 2])
        off = points - middle
        r2 = (off**2).sum(axis=1, keepdims=True) / self.focal**2
        return np.asarray(middle + off * (1 + self.bend * r2), np.float64)

    @property
    def field(self) -> tuple[int, int]:
        """Width and height, px, of the picture without distortion that the lens sees a part of."""
        wide, high = (2 * round(side * (_FIELD - 1) / 2) for side in (self.width, self.height))
        return (self.width + wide, self.height + high) if self.bend else (self.width, self.height)

    def through_lens(self, scene: Plane) -> Plane:
        """What the lens shows of a picture without distortion, whose size is `field`.

        Where the lens would turn back on itself, beyond the mat, the picture ends.
        """
        last = np.sqrt(-1 / (3 * self.bend)) if self.bend < 0 else _FIELD
        radii = np.linspace(0, last, _RADII)
        y, x = np.mgrid[: self.height, : self.width].astype(np.float64)
        x, y = x - (self.width - 1) / 2, y - (self.height - 1) / 2
        seen = np.maximum(np.hypot(x, y) / self.focal, 1e-9)
        grown = np.interp(seen, radii * (1 + self.bend * radii**2), radii) / seen
        across = (x * grown + (scene.shape[1] - 1) / 2).astype(np.float32)
        down = (y * grown + (scene.shape[0] - 1) / 2).astype(np.float32)
        return np.asarray(
            cv2.remap(scene, across, down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.float32
        )

    def matrix(self, mat_w: float, mat_h: float) -> NDArray[np.float64]:
        """Millimetres of a mat, whose middle is in the middle of the picture, to px; a pinhole camera."""
        focal = self.focal
        distance = focal / self.px_per_mm
        tilt, turn = np.radians(self.tilt), np.radians(self.turn)
        rotation = np.array(
            [
                [np.cos(turn), -np.sin(turn), 0],
                [np.sin(turn) * np.cos(tilt), np.cos(turn) * np.cos(tilt), 0],
                [np.sin(turn) * np.sin(tilt), np.cos(turn) * np.sin(tilt), distance],
            ]
        )
        lens = np.array([[focal, 0, (self.width - 1) / 2], [0, focal, (self.height - 1) / 2], [0, 0, 1]])
        centred = np.array([[1, 0, -mat_w / 2], [0, 1, -mat_h / 2], [0, 0, 1]])
        return np.asarray(lens @ rotation @ centred, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A printed square on the mat: what it is, `tag` (payload or marker id as text), centre in mm, degrees."""

    kind: str
    tag: str
    x: float
    y: float
    angle: float
    side: float
    paper: Plane


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What lies where, what the camera gets before noise. `matrix` takes mm to px, before the lens bends."""

    mat: Mat
    view: CameraView
    matrix: NDArray[np.float64]
    lying: tuple[Lying, ...]
    light: Plane

    def frame(self, optics: Optics, rng: np.random.Generator) -> Frame8:
        """One exposure."""
        return exposed(self.light, optics, rng)

    def place(self, lying: Lying) -> tuple[float, float]:
        """The centre in px."""
        x, y = self.to_px(np.array([(lying.x, lying.y)]))[0]
        return float(x), float(y)

    def to_px(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """n x 2 mm to n x 2 px."""
        return self.view.bent(cv2.perspectiveTransform(places[None], self.matrix)[0].astype(np.float64))


def bench_mat() -> Mat:
    """The table of the bench: markers of 30 mm in the corners, fifteen zones of three cards each."""
    zones = tuple(
        Zone(f"{column}{row}", _EDGE + 3 * column * _CELL_W, row * _CELL_H, 3 * _CELL_W, _CELL_H)
        for row in range(ROWS)
        for column in range(COLUMNS // 3)
    )
    corners = ((30.0, 30.0), (MAT_W - 30, 30.0), (MAT_W - 30, MAT_H - 30), (30.0, MAT_H - 30))
    return Mat(
        "bench", MAT_W, MAT_H, tuple(MatMarker(240 + k, x, y, 30.0) for k, (x, y) in enumerate(corners)), zones
    )


def dealt(
    cards: Sequence[PhysicalCard],
    side_mm: float,
    rng: np.random.Generator,
    kinds: Sequence[str] = (OURS,),
    dots_mm: float = PRINT_PX_MM,
) -> list[Lying]:
    """One square for each cell of the table, at most one for each card, laid by hand; kinds drawn evenly.

    `side_mm` is the white square of a sticker and the black one of a marker, `dots_mm` the printer's.
    """
    chosen = rng.permutation(len(cards))[: COLUMNS * ROWS]
    prefix = next((card.payload.removesuffix(card.code) for card in cards if card.payload), "")
    laid = []
    for cell, number in enumerate(chosen):
        card = cards[int(number)]
        kind = str(rng.choice(list(kinds)))
        if card.marker is not None:
            symbol = marker_at(card.code, card.marker, 0, 0, side_mm)
        else:
            symbol = sticker_at(card.code, card.payload, 0, 0, side_mm)
        modules = stranger(rng, prefix) if kind == STRANGER else symbol_modules(symbol)
        paper = printed(modules, symbol.side, rng, dots_mm)
        if kind == DAMAGED:
            paper = damaged(paper, rng)
        x = _EDGE + (cell % COLUMNS + 0.5) * _CELL_W + float(rng.uniform(-12, 12))
        y = (cell // COLUMNS + 0.5) * _CELL_H + float(rng.uniform(-9, 9))
        angle = float(rng.normal(0, 10)) + 180.0 * int(rng.random() < 0.4)
        tag = "" if kind == STRANGER else str(symbol.tag)
        laid.append(Lying(kind, tag, x, y, angle, symbol.side, paper))
    return laid


def table(lying: Sequence[Lying], view: CameraView, optics: Optics, rng: np.random.Generator) -> Table:
    """The mat with its corner markers and everything on it, through the lens."""
    scene, drawn = bare_table(view, rng)
    for one in lying:
        art = _art(rng)
        # The sticker sits somewhere on the middle of its card.
        x, y = one.x + float(rng.uniform(-6, 6)), one.y + float(rng.uniform(-14, 14))
        lay(scene, art, drawn @ pose(x, y, one.angle, CARD_W, CARD_H, art.shape))
    for one in lying:
        place = pose(one.x, one.y, one.angle, one.side, one.side, one.paper.shape)
        lay(scene, one.paper, drawn @ place)
    return photographed(scene, lying, view, optics, rng)


def bare_table(view: CameraView, rng: np.random.Generator) -> tuple[Plane, NDArray[np.float64]]:
    """Cloth and corner markers as a straight lens shows them, and the matrix that takes mm there."""
    mat = bench_mat()
    width, height = view.field
    scene = _cloth((height, width), rng)
    inner = np.array([[1, 0, (width - view.width) / 2], [0, 1, (height - view.height) / 2], [0, 0, 1]])
    drawn = inner @ view.matrix(mat.w, mat.h)
    for marker in mat.markers:
        symbol = marker_at("", marker.id, 0, 0, marker.side)
        paper = printed(symbol_modules(symbol), symbol.side, rng, px_mm=8)
        lay(scene, paper, drawn @ pose(marker.x, marker.y, 0, symbol.side, symbol.side, paper.shape))
    return scene, drawn


def photographed(
    scene: Plane, lying: Sequence[Lying], view: CameraView, optics: Optics, rng: np.random.Generator
) -> Table:
    """What the camera gets of `scene`, a picture of `view.field` as a straight lens shows it."""
    mat = bench_mat()
    if view.bend:
        scene = view.through_lens(scene)
    light = seen_by_lens(scene, optics, rng)
    return Table(mat, view, view.matrix(mat.w, mat.h), tuple(lying), light)


def lay(scene: Plane, texture: Plane, matrix: NDArray[np.float64]) -> None:
    """Paint `texture` into `scene`; `matrix` takes texture px to scene px.

    Every pixel gets the mean over its area: half covered, it is half the texture, half what lay below.
    """
    height, width = texture.shape
    outline = np.array([[(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)]])
    corners = cv2.perspectiveTransform(outline, matrix)[0]
    left, top = np.maximum(0, np.floor(corners.min(axis=0)).astype(int) - 1)
    right, bottom = np.minimum(scene.shape[::-1], np.ceil(corners.max(axis=0)).astype(int) + 2)
    if right <= left or bottom <= top:
        return
    area = float(cv2.contourArea(corners.astype(np.float32)))
    over = int(np.clip(np.ceil(np.sqrt(width * height / max(1.0, area))), 2, 16))
    # Pixel centres: px k of the scene covers the fine px k * over to (k + 1) * over - 1.
    fine = np.array(
        [
            [over, 0, (0.5 - left) * over - 0.5],
            [0, over, (0.5 - top) * over - 0.5],
            [0, 0, 1],
        ]
    )
    size = (int(right - left) * over, int(bottom - top) * over)
    cover = cv2.warpPerspective(np.ones_like(texture), fine @ matrix, size, flags=cv2.INTER_NEAREST)
    patch = cv2.warpPerspective(texture, fine @ matrix, size, borderMode=cv2.BORDER_REPLICATE) * cover
    small = (int(right - left), int(bottom - top))
    share = cv2.resize(cover, small, interpolation=cv2.INTER_AREA)
    value = cv2.resize(patch, small, interpolation=cv2.INTER_AREA)
    window = scene[top:bottom, left:right]
    window *= 1 - share
    window += value


def pose(x: float, y: float, angle: float, w: float, h: float, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Texture px to mm: a piece of w x h mm with its centre at (x, y), turned by `angle` degrees."""
    rows, columns = shape[:2]
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    size = np.array(
        [[w / columns, 0, (0.5 / columns - 0.5) * w], [0, h / rows, (0.5 / rows - 0.5) * h], [0, 0, 1]]
    )
    return np.asarray(np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]]) @ size, np.float64)


def _cloth(shape: tuple[int, int], rng: np.random.Generator) -> Plane:
    """Felt or wood: a tone with slow changes and a fine grain."""
    tone = float(rng.uniform(0.06, 0.35))
    slow = cv2.resize(
        rng.uniform(-0.2, 0.2, (6, 9)).astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC
    )
    grain = cv2.GaussianBlur(rng.standard_normal(shape, np.float32), (0, 0), float(rng.uniform(0.4, 1.5)))
    return np.asarray(np.clip(tone * (1 + slow + 0.25 * grain), 0.01, 0.9), np.float32)


def _art(rng: np.random.Generator) -> Plane:
    """A card's face: a toned ground, a few shapes, a border, a number and a line of print."""
    h, w = round(CARD_H * _ART_PX_MM), round(CARD_W * _ART_PX_MM)
    art = np.full((h, w), int(rng.integers(50, 190)), np.uint8)
    for _ in range(int(rng.integers(4, 10))):
        centre = (int(rng.integers(w)), int(rng.integers(h)))
        axes = (int(rng.integers(6, 50)), int(rng.integers(6, 50)))
        shade = int(rng.integers(20, 205))
        cv2.ellipse(art, centre, axes, float(rng.uniform(0, 180)), 0, 360, shade, -1, cv2.LINE_AA)
    cv2.rectangle(art, (0, 0), (w - 1, h - 1), 205, int(rng.integers(4, 14)))
    words = "".join(rng.choice(list("abcdefghiklmnorstuvw "), 14))
    cv2.putText(art, words, (18, h - 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 20, 2, cv2.LINE_AA)
    cv2.putText(art, str(int(rng.integers(1, 11))), (16, 48), cv2.FONT_HERSHEY_DUPLEX, 1.4, 15, 3, cv2.LINE_AA)
    return (art / np.float32(255)).astype(np.float32)
