"""Hostile pictures of the mat whose truth is known: blurred, covered, mirrored, among copies and decoys.

A table of 1.6 x 1.1 m is drawn in millimetres, seen by a pinhole camera whose lens may bend lines, then spoiled
as real cameras spoil it. Nothing here is shared with the code that finds the mat.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheets.mat_sheets import outlines
from calibration.sheets.sheet_shapes import marker_at
from tests.benchmarks.mat_camera import Camera, Gray, Points, Spoiling, exposed, light_of
from tests.benchmarks.vision_prints import INK, PAPER, qr_modules, symbol_modules
from tests.benchmarks.vision_table import MAT_H, MAT_W
from vision.mat_geometry import Mat, MatMarker, Zone

_PX_MM = 4.0
"""Pixels per mm of the drawn table."""
_BEYOND_MM = 300.0
"""How far the drawn table reaches beyond the mat on each side, mm."""
_FOREIGN_IDS = (*range(60), *range(100, 140))
"""Ids of markers that belong to no mat of ours."""


@dataclass(frozen=True, slots=True, eq=False)
class HostilePicture:
    """A spoiled picture, the truth about it, and the same table before.

    `truths`: cameras in whose pictures a found mat must agree with one (two mats: two; none: must be refused).
    `before`: a clean picture of the same table, from `before_from`; `still`: nothing was pushed since then.
    """

    kind: str
    gray: Gray
    truths: tuple[Callable[[Points], Points], ...]
    before: Gray
    before_from: Callable[[Points], Points]
    still: bool
    again: Callable[[], Gray]
    """A further exposure of the same picture: other noise."""


def hostile_mat() -> Mat:
    """The mat of the pictures: markers of 30 mm, 25 mm from both edges; zones whose lines are printed."""
    corners = ((25.0, 25.0), (MAT_W - 25, 25.0), (MAT_W - 25, MAT_H - 25), (25.0, MAT_H - 25))
    zones = tuple(
        Zone(f"{row}{column}", 55 + 170.0 * column, 30 + 165.0 * row, 160, 150, (60, 90) if row else None)
        for row in range(3)
        for column in range(5)
    )
    markers = tuple(MatMarker(240 + n, x, y, 30.0) for n, (x, y) in enumerate(corners))
    return Mat("hostile", MAT_W, MAT_H, markers, zones)


MAT = hostile_mat()


class _Drawing:
    """The table from straight above, reflectance in 1/255, drawn in mm of the mat."""

    def __init__(self, picture: Gray) -> None:
        self.picture = picture

    def copy(self) -> "_Drawing":
        return _Drawing(self.picture.copy())

    def lay(self, paper: Gray, x: float, y: float, w: float, h: float, angle: float = 0.0) -> None:
        """Lay paper of w x h mm with its centre at (x, y), turned by `angle` degrees."""
        rows, columns = paper.shape
        size = np.diag((w / columns * _PX_MM, h / rows * _PX_MM, 1.0))
        size[:2, 2] = (0.5 * w / columns - w / 2) * _PX_MM, (0.5 * h / rows - h / 2) * _PX_MM
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        at = np.array((x + _BEYOND_MM, y + _BEYOND_MM)) * _PX_MM - 0.5
        reach = int(np.hypot(w, h) / 2 * _PX_MM) + 2
        left, top = np.floor(at).astype(int) - reach
        matrix = np.array([[cos, -sin, at[0] - left], [sin, cos, at[1] - top], [0, 0, 1.0]]) @ size
        x0, y0 = max(left, 0), max(top, 0)
        x1 = min(left + 2 * reach, self.picture.shape[1])
        y1 = min(top + 2 * reach, self.picture.shape[0])
        if x1 <= x0 or y1 <= y0:
            return
        matrix[:2, 2] -= x0 - left, y0 - top
        box = (int(x1 - x0), int(y1 - y0))
        shown = cv2.warpAffine(paper, matrix[:2], box, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        mask = cv2.warpAffine(np.ones_like(paper), matrix[:2], box, flags=cv2.INTER_NEAREST)
        cv2.copyTo(shown, mask, self.picture[y0:y1, x0:x1])

    def marker(self, number: int, x: float, y: float, side: float, angle: float = 0.0) -> None:
        """A printed marker whose black side is `side` mm, on its white square."""
        symbol = marker_at("", number, 0, 0, side)
        self.lay(_paper(symbol_modules(symbol)), x, y, symbol.side, symbol.side, angle)

    def point(self, x: float, y: float) -> tuple[int, int]:
        return round((x + _BEYOND_MM) * _PX_MM), round((y + _BEYOND_MM) * _PX_MM)


def _paper(modules: NDArray[np.bool_]) -> Gray:
    """A printed square, 24 px a module, its ink creeping by a fraction of a pixel."""
    ink = np.kron(modules, np.ones((24, 24), np.bool_))
    sharp = np.where(ink, np.uint8(255 * INK), np.uint8(255 * PAPER))
    return np.asarray(cv2.GaussianBlur(sharp, (0, 0), 1.5), np.uint8)


def _bare(rng: np.random.Generator, printed: bool) -> _Drawing:
    """The table, and on it the mat: printed on paper or felt, or its corner sheets alone on a cloth."""
    w, h = (round((side + 2 * _BEYOND_MM) * _PX_MM) for side in (MAT_W, MAT_H))

    def grained(w: int, h: int, tone: float, depth: float) -> Gray:
        slow = cv2.resize(rng.uniform(-0.2, 0.2, (5, 7)).astype(np.float32), (w // 4, h // 4))
        grain = cv2.GaussianBlur(rng.standard_normal((h // 4, w // 4), np.float32), (0, 0), 1.0)
        small = np.clip(255 * tone * (1 + slow + depth * grain), 3, 230).astype(np.uint8)
        return np.asarray(cv2.resize(small, (w, h)), np.uint8)

    drawing = _Drawing(grained(w, h, float(rng.uniform(0.08, 0.5)), 0.3))
    if printed:
        ground = grained(round(MAT_W * _PX_MM), round(MAT_H * _PX_MM), float(rng.uniform(0.15, PAPER)), 0.05)
        x, y = drawing.point(0, 0)
        drawing.picture[y : y + ground.shape[0], x : x + ground.shape[1]] = ground
        for line in outlines(MAT):
            ends = drawing.point(line.x0, line.y0), drawing.point(line.x1, line.y1)
            shade = 255 * 0.55 * PAPER * float(ground.mean()) / (255 * PAPER)
            cv2.line(drawing.picture, *ends, shade, 3, cv2.LINE_AA)
    for one in MAT.markers:
        drawing.marker(one.id, one.x, one.y, one.side)
    return drawing


def _art(rng: np.random.Generator, w: int = 168, h: int = 261) -> Gray:
    """A card's face: shapes on a toned ground within a pale border."""
    art = np.full((h, w), int(rng.integers(30, 170)), np.uint8)
    for _ in range(int(rng.integers(3, 9))):
        centre, axes = rng.integers(0, (w, h)), rng.integers(6, 60, 2)
        shade = int(rng.integers(10, 200))
        cv2.ellipse(art, centre.tolist(), axes.tolist(), float(rng.uniform(0, 180)), 0, 360, shade, -1)
    cv2.rectangle(art, (0, 0), (w - 1, h - 1), 200, int(rng.integers(3, 14)))
    return art


@dataclass(slots=True)
class _Scene:
    """What a kind of trouble may change: the drawing, the camera, the spoiling; what is true afterwards."""

    drawing: _Drawing
    camera: Camera
    spoiling: Spoiling
    rng: np.random.Generator
    moved: list[Callable[[Points], Points]] | None = None

    def chosen(self, least: int = 1, most: int = 3) -> list[MatMarker]:
        """Some of the mat's markers."""
        count = int(self.rng.integers(least, most + 1))
        return [MAT.markers[int(k)] for k in self.rng.permutation(4)[:count]]

    def uniform(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))


def _motion(s: _Scene) -> None:
    s.spoiling.motion, s.spoiling.direction = s.uniform(3, 12), s.uniform(0, np.pi)


def _defocus(s: _Scene) -> None:
    s.spoiling.defocus = s.uniform(1.0, 3.5)


def _ghost(s: _Scene) -> None:
    s.spoiling.ghost, s.spoiling.direction = s.uniform(2, 16), s.uniform(0, np.pi)


def _tilt(s: _Scene) -> None:
    s.camera = replace(s.camera, tilt=s.uniform(12, 40), towards=s.uniform(0, 360))


def _glare(s: _Scene) -> None:
    for one in s.chosen():
        off = s.rng.uniform(-25, 25, 2)
        x, y = s.camera.to_px(np.array([(one.x + off[0], one.y + off[1])]))[0]
        s.spoiling.glare.append((float(x), float(y), s.uniform(15, 70), s.uniform(0.3, 4)))


def _hands(s: _Scene) -> None:
    """Hands and arms that reach from beyond the mat onto markers, whole or in part."""
    for one in s.chosen():
        off = s.rng.uniform(-22, 22, 2)
        tip = s.drawing.point(one.x + off[0], one.y + off[1])
        away = np.array((one.x - MAT_W / 2, one.y - MAT_H / 2)) * 1.6 + (MAT_W / 2, MAT_H / 2)
        skin = s.uniform(40, 150)
        cv2.line(s.drawing.picture, tip, s.drawing.point(*(away + s.rng.uniform(-80, 80, 2))), skin, 300)
        for _ in range(4):
            finger = tip[0] + int(s.rng.integers(-200, 200)), tip[1] + int(s.rng.integers(-200, 200))
            cv2.line(s.drawing.picture, tip, finger, skin * 0.95, 70, cv2.LINE_AA)


def _cards(s: _Scene) -> None:
    """Cards on markers, whole or in part."""
    for one in s.chosen():
        off = s.rng.uniform(-45, 45, 2)
        s.drawing.lay(_art(s.rng), one.x + off[0], one.y + off[1], 56, 87, s.uniform(0, 360))


def _edges(s: _Scene) -> None:
    """A strip of white paper or a dark thing that takes a few millimetres off a marker's side."""
    for one in s.chosen():
        shade = np.full((8, 8), s.uniform(5, 210), np.uint8)
        turn = 90.0 * int(s.rng.integers(4))
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        off = 15 + 20 - s.uniform(0.5, 6)
        s.drawing.lay(shade, one.x + off * cos, one.y + off * sin, 40, 70, turn + s.uniform(-4, 4))


def _mirrored(s: _Scene) -> None:
    s.spoiling.mirrored = True
    s.moved = []


def _small(s: _Scene) -> None:
    s.camera = replace(s.camera, width=640, height=480)


def _night(s: _Scene) -> None:
    s.spoiling.full_well, s.spoiling.read_noise = s.uniform(80, 500), s.uniform(8, 22)
    s.spoiling.gain = s.uniform(0.25, 0.8)


def _jpeg(s: _Scene) -> None:
    s.spoiling.jpeg = int(s.rng.integers(6, 35))


def _foreign(s: _Scene) -> None:
    """Printed squares of others: codes, markers of other ids, near and far, some over our markers."""
    for _ in range(int(s.rng.integers(4, 14))):
        x, y, side = s.uniform(-60, MAT_W + 60), s.uniform(-40, MAT_H + 40), s.uniform(14, 60)
        if s.rng.random() < 0.5:
            s.drawing.marker(int(s.rng.choice(_FOREIGN_IDS)), x, y, side, s.uniform(0, 360))
        else:
            s.drawing.lay(_paper(qr_modules(f"X{s.uniform(0, 1)}")), x, y, side, side, s.uniform(0, 360))


def _copies(s: _Scene) -> None:
    """Copies of our own markers, of any size, while some of the true ones are covered."""
    for one in s.chosen(0, 2):
        s.drawing.lay(_art(s.rng), one.x, one.y, 56, 87, s.uniform(0, 360))
    for _ in range(int(s.rng.integers(1, 4))):
        side = 30.0 if s.rng.random() < 0.6 else s.uniform(12, 60)
        number = 240 + int(s.rng.integers(4))
        near = MAT.markers[int(s.rng.integers(4))] if s.rng.random() < 0.5 else None
        if near is None:
            x, y = s.uniform(20, MAT_W - 20), s.uniform(20, MAT_H - 20)
        else:
            x, y = near.x + s.uniform(-90, 90), near.y + s.uniform(-90, 90)
        s.drawing.marker(number, x, y, side, s.uniform(-25, 25) if s.rng.random() < 0.7 else s.uniform(0, 360))


def _of(camera: Camera, x: float, y: float, angle: float, scale: float) -> Callable[[Points], Points]:
    """Where a mat lies in the picture whose middle lies at (x, y) mm, turned by degrees and scaled."""
    turn = scale * np.array(
        [
            [np.cos(np.radians(angle)), np.sin(np.radians(angle))],
            [-np.sin(np.radians(angle)), np.cos(np.radians(angle))],
        ]
    )
    return lambda places: camera.to_px((places - (MAT_W / 2, MAT_H / 2)) @ turn + (x, y))


def _two_mats(s: _Scene) -> None:
    """A second mat of the same make, smaller or as large, shown whole or in part."""
    scale = 1.0 if s.rng.random() < 0.5 else s.uniform(0.4, 0.8)
    x, y = MAT_W / 2 + s.uniform(-700, 700), MAT_H / 2 + s.uniform(-420, 420)
    angle = s.uniform(-20, 20) if s.rng.random() < 0.7 else s.uniform(0, 360)
    x0, y0 = s.drawing.point(0, 0)
    mat = s.drawing.picture[y0 : y0 + round(MAT_H * _PX_MM), x0 : x0 + round(MAT_W * _PX_MM)].copy()
    s.drawing.lay(mat, x, y, scale * MAT_W, scale * MAT_H, angle)
    s.moved = [s.camera.to_px, _of(s.camera, x, y, angle, scale)]


def _moved(s: _Scene) -> None:
    """One corner sheet has come loose and lies elsewhere."""
    one = MAT.markers[int(s.rng.integers(4))]
    ground = s.drawing.picture[s.drawing.point(one.x, one.y + 60 * (1 if one.y < MAT_H / 2 else -1))[::-1]]
    s.drawing.lay(np.full((4, 4), ground, np.uint8), one.x, one.y, 46, 46)
    far, way = float(np.exp(s.uniform(np.log(2), np.log(80)))), s.uniform(0, 2 * np.pi)
    x, y = one.x + far * np.cos(way), one.y + far * np.sin(way)
    s.drawing.marker(one.id, x, y, one.side, s.uniform(-15, 15))


def _reordered(s: _Scene) -> None:
    """The corner sheets lie in another order; each one the right way up, or turned by a quarter."""
    order = s.rng.permutation(4)
    while (order == np.arange(4)).all():
        order = s.rng.permutation(4)
    turn = 90.0 * int(s.rng.integers(4)) if s.rng.random() < 0.5 else 0.0
    for one, other in zip(MAT.markers, order, strict=True):
        s.drawing.marker(MAT.markers[int(other)].id, one.x, one.y, one.side, turn)
    cyclic = [tuple(np.roll(np.arange(4), k)) for k in range(4)]
    # Turned like a mat that was turned as a whole by half: that is a mat, upside down.
    if tuple(order) == cyclic[2] and turn == 180.0:
        s.moved = [_of(s.camera, MAT_W / 2, MAT_H / 2, 180.0, 1.0)]
    else:
        s.moved = []


def _decoys(s: _Scene) -> None:
    """Near-squares: tiles, frames, chess boards, dice; and markers of ours with a few modules wrong."""
    for _ in range(int(s.rng.integers(6, 24))):
        x, y = s.uniform(-60, MAT_W + 60), s.uniform(-40, MAT_H + 40)
        w = s.uniform(12, 60)
        h = w * s.uniform(0.85, 1.15)
        match int(s.rng.integers(4)):
            case 0:
                paper = np.full((40, 40), 12, np.uint8)
            case 1:
                paper = np.full((40, 40), 200, np.uint8)
                cv2.rectangle(paper, (4, 4), (35, 35), 12, int(s.rng.integers(2, 9)))
            case 2:
                paper = _paper(np.indices((8, 8)).sum(axis=0) % 2 == 1)
            case _:
                modules = symbol_modules(marker_at("", 240 + int(s.rng.integers(4)), 0, 0, 30)).copy()
                for _ in range(int(s.rng.integers(1, 5))):
                    row, column = s.rng.integers(2, len(modules) - 2, 2)
                    modules[row, column] ^= True
                paper = _paper(modules)
        s.drawing.lay(paper, x, y, w, h, s.uniform(0, 360))
    for one in s.chosen(0, 2):
        s.drawing.lay(_art(s.rng), one.x, one.y, 56, 87, s.uniform(0, 360))


def _cropped(s: _Scene) -> None:
    s.camera = replace(s.camera, zoom=s.camera.zoom * s.uniform(1.0, 1.2), dx=s.uniform(-150, 150))


def _upside_down(s: _Scene) -> None:
    s.camera = replace(s.camera, roll=s.camera.roll + 180.0 + s.uniform(-15, 15))


def _lens(s: _Scene) -> None:
    s.camera = replace(s.camera, bend=s.uniform(-0.25, 0.08))


def _all_night(s: _Scene) -> None:
    """Dim, badly focused and shaken a little, with a hand on a marker: an evening's worst."""
    s.spoiling.full_well, s.spoiling.gain = s.uniform(200, 900), s.uniform(0.3, 0.7)
    s.spoiling.defocus, s.spoiling.motion = s.uniform(0.5, 2.0), s.uniform(0, 5)
    s.spoiling.direction, s.spoiling.jpeg = s.uniform(0, np.pi), int(s.rng.integers(40, 80))
    if s.rng.random() < 0.6:
        one = s.chosen(1, 1)[0]
        off = s.rng.uniform(-30, 30, 2)
        s.drawing.lay(_art(s.rng), one.x + off[0], one.y + off[1], 56, 87, s.uniform(0, 360))


def _motion_hands(s: _Scene) -> None:
    _hands(s)
    _motion(s)


def _tilt_defocus(s: _Scene) -> None:
    _tilt(s)
    _defocus(s)


KINDS: dict[str, Callable[[_Scene], None]] = {
    "motion": _motion,
    "defocus": _defocus,
    "ghost": _ghost,
    "tilt": _tilt,
    "glare": _glare,
    "hands": _hands,
    "cards": _cards,
    "edges": _edges,
    "mirrored": _mirrored,
    "640x480": _small,
    "night": _night,
    "jpeg": _jpeg,
    "foreign": _foreign,
    "copies": _copies,
    "two mats": _two_mats,
    "moved": _moved,
    "reordered": _reordered,
    "decoys": _decoys,
    "cropped": _cropped,
    "turned": _upside_down,
    "lens": _lens,
    "evening": _all_night,
    "motion, hands": _motion_hands,
    "tilt, defocus": _tilt_defocus,
}
"""Kinds of trouble; the camera's is applied before what lies at places of its picture."""


def clean_picture(camera: Camera, seed: int) -> Gray:
    """A printed mat as a camera sees it that nothing troubles."""
    rng = np.random.default_rng(seed)
    light = light_of(_bare(rng, printed=True).picture, _PX_MM, _BEYOND_MM, camera, Spoiling())
    return exposed(light, Spoiling(), rng)


def hostile_pictures(count: int, seed: int) -> Iterator[HostilePicture]:
    """So many pictures of all kinds in turn."""
    for first in range(0, count, len(KINDS)):
        yield from pictures_of([*KINDS][: count - first], seed, first // len(KINDS))


def pictures_of(kinds: Collection[str], seed: int, rig: int = 0) -> Iterator[HostilePicture]:
    """One picture of each of these kinds, at the same table with the same camera."""
    rng = np.random.default_rng((seed, rig))
    bare = _bare(rng, printed=bool(rng.random() < 0.7))
    camera = Camera(
        tilt=abs(float(rng.normal(0, 6))),
        towards=float(rng.uniform(0, 360)),
        roll=float(rng.normal(0, 3)),
        fov=float(rng.uniform(55, 78)),
        bend=float(rng.uniform(-0.15, 0)) if rng.random() < 0.3 else 0.0,
        fill=float(rng.uniform(0.85, 0.98)),
    )
    befores: dict[Camera, Gray] = {}
    for number, (kind, trouble) in enumerate(KINDS.items()):
        if kind not in kinds:
            continue
        yield _picture(kind, trouble, bare, camera, np.random.default_rng((seed, rig, number)), befores)


def _picture(
    kind: str,
    trouble: Callable[[_Scene], None],
    bare: _Drawing,
    camera: Camera,
    rng: np.random.Generator,
    befores: dict[Camera, Gray],
) -> HostilePicture:
    spoiling = Spoiling(
        blur=float(rng.uniform(0.5, 0.9)),
        defocus=float(rng.uniform(0.2, 0.9)),
        full_well=float(rng.uniform(1200, 4000)),
        gain=float(rng.uniform(0.5, 0.9)),
        shadow=float(rng.uniform(0.2, 0.7)) if rng.random() < 0.25 else 0.0,
        sharpen=float(rng.uniform(0.3, 1.2)) if rng.random() < 0.4 else 0.0,
        jpeg=int(rng.integers(60, 95)),
    )
    push = float(rng.random())
    scene = _Scene(bare.copy(), camera, spoiling, rng)
    # What changes the mount comes first, so that it holds for the picture before as well.
    mount = _Scene(bare, camera, spoiling, np.random.default_rng(int(rng.integers(2**31))))
    for word, change in (("tilt", _tilt), ("640x480", _small), ("lens", _lens), ("turned", _upside_down)):
        if word in kind:
            change(mount)
    base = mount.camera
    if push > 0.85:
        scene.camera = base.pushed(rng, 60, 3)
    elif push > 0.6:
        scene.camera = base.pushed(rng, 12, 0.8)
    else:
        scene.camera = base
    kept = scene.camera
    trouble(scene)
    if kind in ("640x480", "lens", "turned") or "tilt" in kind:
        scene.camera = kept
    truths = (scene.camera.to_px,) if scene.moved is None else tuple(scene.moved)
    if base not in befores:
        if len(befores) > 1:
            del befores[next(reversed(befores))]
        befores[base] = exposed(light_of(bare.picture, _PX_MM, _BEYOND_MM, base, Spoiling()), Spoiling(), rng)
    light = light_of(scene.drawing.picture, _PX_MM, _BEYOND_MM, scene.camera, spoiling)
    return HostilePicture(
        kind,
        exposed(light, spoiling, rng),
        truths,
        befores[base],
        base.to_px,
        still=push <= 0.6 and scene.camera == base,
        again=lambda: exposed(light, spoiling, rng),
    )
