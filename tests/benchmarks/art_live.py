"""Real photographs of cards, laid in rows on real cloth beneath the virtual camera, as a game sees them."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.appearance import PhysicalCard
from companion.virtual.render.looks import Looks
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.render.printed_marks import PX_MM, Picture, outline
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.world import World
from tests.benchmarks.art_real import Shot
from tests.benchmarks.art_rows import bench_rows
from vision.art.art_on_mat import ArtCard, LiveArt
from vision.art.art_plane import card_sides
from vision.art.art_recogniser import ArtBook, enrol
from vision.art.card_outline import card_outline
from vision.mat.mat_finder import register
from vision.mat_geometry import Mat, Zone, corner_markers

_CARD = (63.0, 88.0)
"""Size (mm) of a poker card, which all photographs show."""
_STEP_MM = 80.0
"""_STEP_MM: distance (mm) between the middles of cards in a row."""
_NOISES = ("home", "evening")
_DRAWN = ("cards_shown", "cards_named", "wrong", "strangers", "strangers_named", "row_ms")
"""_DRAWN: what is told of rows of drawn cards."""
_LOT = 61
"""_LOT: seed of the lot that divided the kinds before any photograph was seen."""
_OFF_MM, _TURN_DEG = 2.5, 3.0
"""Standard deviations of a card's place (mm) and turn (degrees) in its row."""
_NEAR_MM = 20.0
_LOOKS, _FRAME_S = 3, 1 / 15
"""_LOOKS: looks of the live camera at a zone that is at rest, within a second."""
_CLOTH_MM = 45.0
"""_CLOTH_MM: least side of a patch of cloth beside a card."""
_GAP = 0.08
"""_GAP: share of a card's width beside it that holds its shadow, and is no cloth."""
_AROUND = (0.12, 0.05, 0.25, 0.5)
"""_AROUND: shares of the box around a card that are cut out with it in turn, to find its outline."""
_BESIDE_BOX = 0.06
"""_BESIDE_BOX: an outline that ends farther beside its box, as a share of the box, is not that of the card."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A mat beneath the camera: its name, how large it is (mm), and how many cards lie in its row."""

    name: str
    width: float
    height: float
    cards: int

    @property
    def mat(self) -> Mat:
        row = Zone("row", 60, self.height / 2 - 60, self.width - 120, 120)
        return Mat("bench", self.width, self.height, corner_markers(240, self.width, self.height), (row,))


SCALES = (Scale("1.9 px/mm", 960, 540, 9), Scale("5.1 px/mm", 360, 202, 3))


@dataclass(slots=True)
class LiveTally:
    """What was named of the cards that were shown, which were missed, and CPU times (ms) of first looks."""

    shown: int = 0
    named: int = 0
    wrong: int = 0
    strangers: int = 0
    strangers_named: int = 0
    row_ms: list[float] = field(default_factory=list)
    missed: dict[str, int] = field(default_factory=dict)

    def row(self) -> dict[str, Any]:
        return {
            "shown": self.shown,
            "named": self.named,
            "wrong": self.wrong,
            "strangers": self.strangers,
            "strangers_named": self.strangers_named,
            "row_ms": round(float(np.mean(self.row_ms)), 1) if self.row_ms else 0.0,
        }


class _PhotoLooks(Looks):
    """Cards as photographs show them, on a mat that is covered with real cloth."""

    def __init__(self, faces: Mapping[str, Picture], cloth: Picture) -> None:
        self._faces, self._cloth = faces, cloth
        first = next(iter(faces.values()))
        self._mask = outline(first.shape[:2], 3, round_thing=False)

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        return _CARD

    def printed(self, card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
        assert card is not None
        return self._faces[card.kind], self._mask

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        sheet[:] = spread_out(self._cloth, sheet.shape[:2])


def faces_of(shots: Sequence[Shot]) -> dict[str, Picture]:
    """Number of each photograph -> its card (BGR, PX_MM px/mm), as its outline is found in its box."""
    return {f"{n}": straight for n, shot in enumerate(shots) if (straight := straight_face(shot)) is not None}


def straight_face(shot: Shot) -> Picture | None:
    """The card of a photograph, seen straight from above; None if no outline is found that fills its box."""
    corners = min(
        (one for reach in _AROUND if (one := _outline_in(shot, reach))), key=lambda one: one[0], default=None
    )
    if corners is None or corners[0] > _BESIDE_BOX:
        return None
    w, h = (round(side * PX_MM) for side in _CARD)
    ends = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners[1].astype(np.float32), ends)
    border = cv2.BORDER_REPLICATE
    return np.asarray(
        cv2.warpPerspective(shot.image, matrix, (w, h), flags=cv2.INTER_CUBIC, borderMode=border), np.uint8
    )


def _outline_in(shot: Shot, around: float) -> tuple[float, NDArray[np.float32]] | None:
    """How far an outline ends beside the label's box, as a share of the box, and the outline (4 x 2 px).

    `around`: share of the box that is cut out with it.
    """
    x0, y0, x1, y1 = shot.label.box
    reach = round(around * min(x1 - x0, y1 - y0))
    left, top = max(0, x0 - reach), max(0, y0 - reach)
    part = shot.image[top : y1 + reach, left : x1 + reach]
    lab = cv2.cvtColor(part.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    corners = card_outline(np.asarray(lab, np.float32))
    if corners is None:
        return None
    corners = np.asarray(corners + np.array((left, top)), np.float32)
    across, down = card_sides(corners)
    if across > down:
        corners = np.roll(corners, -1, axis=0)
    ends = np.concatenate([corners.min(axis=0), corners.max(axis=0)])
    return float(np.abs(ends - shot.label.box).max()) / min(x1 - x0, y1 - y0), corners


def cloth_of(shot: Shot) -> Picture | None:
    """The largest patch of cloth (BGR, PX_MM px/mm) beside the card of a photograph; None if there is little.

    The side of the card on which the cloth is most even is chosen, because a table's edge is no cloth.
    """
    x0, y0, x1, y1 = shot.label.box
    px_mm = min(x1 - x0, y1 - y0) / _CARD[0]
    gap = round(_GAP * min(x1 - x0, y1 - y0))
    sides = (
        shot.image[: max(0, y0 - gap)],
        shot.image[y1 + gap :],
        shot.image[:, : max(0, x0 - gap)],
        shot.image[:, x1 + gap :],
    )
    large = [side for side in sides if min(side.shape[:2]) >= _CLOTH_MM * px_mm]
    if not large:
        return None
    even = min(
        large,
        key=lambda side: float(cv2.resize(side, (4, 4), interpolation=cv2.INTER_AREA).std(axis=(0, 1)).sum()),
    )
    scale = PX_MM / px_mm
    return np.asarray(cv2.resize(even, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)


def spread_out(cloth: Picture, shape: tuple[int, ...]) -> Picture:
    """A cloth of this height and width (px) made of one patch and its mirror images, which leaves no seam."""
    rows, columns = (_back_and_forth(side, whole) for side, whole in zip(cloth.shape[:2], shape, strict=False))
    return np.asarray(cloth[rows[:, None], columns], np.uint8)


def _back_and_forth(side: int, whole: int) -> NDArray[np.intp]:
    steps = np.arange(whole) % (2 * side)
    return np.asarray(np.minimum(steps, 2 * side - 1 - steps), np.intp)


def bench_live(shots: Sequence[Shot], rows: int, seed: int) -> dict[str, Any]:
    """Counts of each part, scale and noise for rows of photographed cards on cloths of the same photographs.

    `real`, `drawn`: named shares at 1.9 px/mm under home, and of drawn cards under the unkind noise. They
    differ by `points_apart` hundredths.
    """
    parts = {"looked at": chosen_by_lot(shots, first=True), "kept back": chosen_by_lot(shots, first=False)}
    counts = {
        f"{part}, {scale.name}, {noise}": live_tally(mine, scale, noise, rows, seed)
        for part, mine in parts.items()
        for scale in SCALES
        for noise in _NOISES
    }
    near = [tally for name, tally in counts.items() if name.endswith(f"{SCALES[0].name}, {_NOISES[0]}")]
    real = sum(tally.named for tally in near) / max(1, sum(tally.shown for tally in near))
    drawn = bench_rows(rows, seed, noise="unkind")
    return {
        **{name: tally.row() for name, tally in counts.items()},
        "drawn, unkind": {key: drawn[key] for key in _DRAWN},
        "real": round(real, 4),
        "drawn": drawn["cards_named"],
        "points_apart": round(100 * abs(real - drawn["cards_named"]), 1),
    }


def chosen_by_lot(shots: Sequence[Shot], *, first: bool) -> list[Shot]:
    """The photographs of one half of the kinds, chosen by lot: everything was tuned on the `first` half alone.

    With the second half all kinds are enrolled.
    """
    kinds = sorted({shot.label.card for shot in shots if shot.label.use == "enrol"})
    strangers = sorted({shot.label.card for shot in shots} - set(kinds))
    chance = Random(_LOT)
    mine: set[str] = set()
    for group in (kinds, strangers):
        chance.shuffle(group)
        mine |= set(group[: (len(group) + 1) // 2])
    if first:
        return [shot for shot in shots if shot.label.card in mine]
    return [shot for shot in shots if shot.label.use == "enrol" or shot.label.card not in mine]


def live_tally(shots: Sequence[Shot], scale: Scale, noise: str, rows: int, seed: int) -> LiveTally:
    """The counts of so many rows at one scale and noise; kinds are enrolled from the `shots` to enrol."""
    tally = LiveTally()
    shown = [shot for shot in shots if shot.label.use == "recognise"]
    faces = faces_of(shown)
    kinds = {name: shown[int(name)].label.card for name in faces}
    cloths = [cloth for shot in shown if (cloth := cloth_of(shot)) is not None]
    if not faces or not cloths:
        return tally
    art = LiveArt(_book(shots))
    cards = {name: PhysicalCard(f"{name}.1", name, name) for name in faces}
    for turn in range(rows):
        rng = np.random.default_rng([seed, turn, len(noise)])
        looks = _PhotoLooks(faces, cloths[int(rng.integers(len(cloths)))])
        world, chance = World(), Random(f"{seed} {turn} {noise}")
        camera = TableCamera(world, scale.mat, cards.values(), looks, profile(noise), chance)
        lying = _lay(world, list(cards.values()), scale, rng)
        _look(tally, art, camera, scale.mat, [(kinds[one.kind], one) for one in lying], art.kinds)
    return tally


def _book(shots: Sequence[Shot]) -> ArtBook:
    views = []
    for shot in shots:
        if shot.label.use == "enrol":
            view = enrol(shot.label.card, shot.image)
            views.append(replace(view, short_mm=_CARD[0], aspect=_CARD[0] / _CARD[1]))
    return ArtBook(tuple(views))


def _lay(world: World, cards: list[PhysicalCard], scale: Scale, rng: np.random.Generator) -> list[ArtCard]:
    lying = []
    first = (scale.width - _STEP_MM * (scale.cards - 1)) / 2
    for place, number in enumerate(rng.permutation(len(cards))[: scale.cards]):
        card = cards[int(number)]
        x, y = first + _STEP_MM * place + rng.normal(0, _OFF_MM), scale.height / 2 + rng.normal(0, _OFF_MM)
        angle = rng.normal(0, _TURN_DEG) + 180 * int(rng.integers(2))
        world.put(card.code, (x, y), angle)
        lying.append(ArtCard(card.kind, x, y, angle, 1.0))
    return lying


def _look(
    tally: LiveTally,
    art: LiveArt,
    camera: TableCamera,
    mat: Mat,
    lying: Sequence[tuple[str, ArtCard]],
    known: frozenset[str],
) -> None:
    """Look at a row as the live camera does while it is at rest, and count what was named."""
    found: list[ArtCard] = []
    for number in range(_LOOKS):
        picture = camera.frame(number * _FRAME_S)
        registration = register(mat, np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
        if registration is None:
            continue
        rect = registration.zone_rect(mat.zone("row"), _CARD[1] / 2)
        started = time.process_time()
        found += art.look(picture, rect, registration, found).cards
        if not number:
            tally.row_ms.append(1e3 * (time.process_time() - started))
    for card, one in lying:
        here = {each.kind for each in found if _near(each, one)}
        if card not in known:
            tally.strangers += 1
            tally.strangers_named += bool(here)
            continue
        tally.shown += 1
        tally.named += here == {card}
        tally.wrong += bool(here - {card})
        if here != {card}:
            tally.missed[f"{card}/{one.kind}"] = tally.missed.get(f"{card}/{one.kind}", 0) + 1
    tally.wrong += sum(not any(_near(each, one) for _, one in lying) for each in found)


def _near(one: ArtCard, other: ArtCard) -> bool:
    return abs(one.x - other.x) < _NEAR_MM and abs(one.y - other.y) < _NEAR_MM
