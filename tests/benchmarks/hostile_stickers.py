"""Tables on which every sticker has a trouble of its own: read in one frame, and by the live camera's way."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import cv2
import numpy as np

from calibration.sheets.sheet_shapes import sticker_at
from companion.games.appearance import PhysicalCard
from companion.games.registry import DEFAULT_GAME, load_game
from tests.benchmarks.cheap_optics import TYPICAL, Optics, Plane
from tests.benchmarks.sticker_troubles import TROUBLES, Spot
from tests.benchmarks.vision_prints import damaged, printed, stranger, symbol_modules
from tests.benchmarks.vision_readers import OURS as COMPANION
from tests.benchmarks.vision_readers import Sighted, TableReader
from tests.benchmarks.vision_scenes import FPS, grey, tags_of
from tests.benchmarks.vision_table import (
    MAT_H,
    MAT_W,
    OURS,
    STRANGER,
    CameraView,
    Lying,
    Table,
    bare_table,
    lay,
    photographed,
    pose,
)
from tests.benchmarks.vision_tally import NEAR_MM, ReaderTally
from vision.camera.frames import Frame
from vision.codes.sticker_set import Gray, Tags
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CameraState, ZoneSeen

LIVE = "companion live"
"""LIVE: the reader that is the whole way of the live camera."""
_COLUMNS, _ROWS, _CELL_MM, _CARD_MM = 14, 9, 60.0, 52.0
"""Cells of the table and square cards in them, smaller than real cards: a picture gives many readings."""
_LEFT = (MAT_W - _COLUMNS * _CELL_MM) / 2
_DOTS_MM = 12.0
"""Dots per mm of the printer: 300 dpi."""
_PRINTS = 6
"""Prints of one sticker; each table lays one of them."""
_WATCHED_S = 2.0
"""How long the tracker watches once it has found the mat, s."""
_PATIENCE = 60
"""Frames after which a mat that was not found will not be found."""
_FRAMES = 4
"""Exposures of a table, which the tracker sees in turn: a camera at rest shows noise."""
_ALONE = 2
"""Exposures that are read by themselves."""
_OFTEN = {"bright spots": 3.0, "half covered": 2.0}
"""Troubles that come more often than the others."""
_DAMAGED, _STRANGERS = 0.1, 27
"""_DAMAGED: share of stickers whose print is worn besides. _STRANGERS: foreign squares on a table."""

CAMERAS: dict[str, Callable[[np.random.Generator], Optics]] = {
    "typical": lambda _: TYPICAL,
    "dim": lambda rng: replace(TYPICAL, full_well=float(rng.uniform(900, 2000)), read_noise=22, veil=0.05),
    "jpeg": lambda rng: replace(TYPICAL, jpeg=int(rng.integers(22, 60)), sharpen=float(rng.uniform(0, 1))),
    "unfocused": lambda rng: replace(TYPICAL, defocus=float(rng.uniform(0.8, 1.7))),
    "shaken": lambda rng: replace(TYPICAL, motion=float(rng.uniform(0.8, 2.6))),
    "smoothed": lambda rng: replace(TYPICAL, full_well=2000, denoise=float(rng.uniform(10, 35)), sharpen=0.6),
    "poor": lambda rng: replace(
        TYPICAL,
        blur=0.75,
        corner_blur=1.1,
        defocus=float(rng.uniform(0.7, 1.1)),
        full_well=float(rng.uniform(1000, 2000)),
        read_noise=20,
        vignetting=0.45,
        veil=0.06,
        jpeg=int(rng.integers(55, 85)),
    ),
}
"""Conditions of a whole picture, each by chance between its limits."""


@dataclass(frozen=True, slots=True)
class HostileTable:
    """A table, the name and optics of its camera, and the trouble of each of `table.lying`."""

    table: Table
    camera: str
    optics: Optics
    troubles: tuple[str, ...]


def hostile_stickers(side_mm: float, reads: int, seed: int) -> list[ReaderTally]:
    """Tallies of our reader on single frames and of the live way, until both named `reads` identities together.

    `side_mm`: the white square of a sticker. `by_trouble` and `by_camera` say right, unread, wrong. The live
    way is right where the last report names the sticker; any report that ever named another one is wrong.
    `misplaced`: the sticker that lies there, more than NEAR_MM beside its place.
    """
    cards = load_game(DEFAULT_GAME).cards("basic")
    tags = tags_of(cards)
    known = frozenset([*tags.payloads, *tags.markers.values()])
    scene = f"hostile-{side_mm:.0f}mm"
    frame, live = (HostileTally(ReaderTally(scene, name)) for name in (COMPANION, LIVE))
    reader = TableReader(tags.payloads, side_mm)
    tables = hostile_tables(cards, side_mm, seed)
    while frame.tally.reads + live.tally.reads < reads:
        hostile = next(tables)
        rng = np.random.default_rng((seed, live.tally.frames, 1))
        frames = [grey(hostile.table.frame(hostile.optics, rng)) for _ in range(_FRAMES)]
        reader.watch(hostile.table, frames[0])
        for gray in frames[:_ALONE]:
            sightings = frame.tally.timed(partial(reader.read, gray))
            frame.count(hostile, sightings, sightings, known)
        last, ever = live.tally.timed(partial(_watched, hostile.table, frames, tags, side_mm))
        live.count(hostile, last, ever, known)
    return [frame.told(), live.told()]


def hostile_tables(cards: Sequence[PhysicalCard], side_mm: float, seed: int) -> Iterator[HostileTable]:
    """Tables without end, the cameras in turn; the same for the same seed."""
    rng = np.random.default_rng((seed, 0))
    prints = [
        (card.payload, list(islice(_prints(card, side_mm, rng), _PRINTS))) for card in cards if card.payload
    ]
    number = 0
    while True:
        number += 1
        camera = list(CAMERAS)[number % len(CAMERAS)]
        yield _hostile_table(prints, side_mm, camera, np.random.default_rng((seed, number)))


def _prints(card: PhysicalCard, side_mm: float, rng: np.random.Generator) -> Iterator[Plane]:
    assert card.payload is not None
    modules = symbol_modules(sticker_at(card.code, card.payload, 0, 0, side_mm))
    while True:
        yield printed(modules, side_mm, rng, _DOTS_MM)


def _hostile_table(
    prints: Sequence[tuple[str, Sequence[Plane]]], side_mm: float, camera: str, rng: np.random.Generator
) -> HostileTable:
    """Every sticker once and strangers between them, laid in any direction."""
    optics = CAMERAS[camera](rng)
    bend = float(rng.choice([0, 0, -0.12, -0.25]))
    view = CameraView(1920, 1080, 1.86, float(rng.uniform(0, 10)), float(rng.uniform(-2, 2)), bend)
    weights = np.array([_OFTEN.get(name, 1.0) for name in TROUBLES])
    lying, troubles = [], []
    for number, cell in enumerate(rng.permutation(_COLUMNS * _ROWS)[: len(prints) + _STRANGERS].tolist()):
        trouble = str(rng.choice(list(TROUBLES), p=weights / weights.sum()))
        if number < len(prints):
            tag, papers = prints[number]
            kind, side = OURS, side_mm
            paper = papers[int(rng.integers(len(papers)))]
            if rng.random() < _DAMAGED:
                paper = damaged(paper, rng)
        else:
            kind, tag, side = STRANGER, "", side_mm * float(rng.uniform(0.8, 1.6))
            paper = printed(stranger(rng, "SP1"), side, rng, _DOTS_MM)
        x = _LEFT + (cell % _COLUMNS + 0.5) * _CELL_MM + float(rng.uniform(-4, 4))
        y = (cell // _COLUMNS + 0.5) * MAT_H / _ROWS + float(rng.uniform(-4, 4))
        lying.append(Lying(kind, tag, x, y, float(rng.uniform(0, 360)), side, paper))
        troubles.append(trouble)
    scene, drawn = bare_table(view, rng)
    for one in lying:
        card = _card(rng)
        lay(scene, card, drawn @ pose(one.x, one.y, one.angle, _CARD_MM, _CARD_MM, card.shape))
        lay(scene, one.paper, drawn @ pose(one.x, one.y, one.angle, one.side, one.side, one.paper.shape))
    for one, trouble in zip(lying, troubles, strict=True):
        _befall(scene, one, trouble, drawn, view.px_per_mm, rng)
    return HostileTable(photographed(scene, lying, view, optics, rng), camera, optics, tuple(troubles))


def _card(rng: np.random.Generator) -> Plane:
    """A toned face with soft shapes."""
    shapes = cv2.resize(rng.standard_normal((8, 8)).astype(np.float32), (64, 64))
    return np.asarray(np.clip(float(rng.uniform(0.05, 0.7)) + 0.08 * shapes, 0.02, 0.85), np.float32)


def _befall(
    scene: Plane, one: Lying, trouble: str, drawn: np.ndarray, px_per_mm: float, rng: np.random.Generator
) -> None:
    x, y = cv2.perspectiveTransform(np.array([[(one.x, one.y)]]), drawn)[0, 0].tolist()
    side = one.side * px_per_mm
    reach = int(1.6 * side)
    left, top = max(0, int(x) - reach), max(0, int(y) - reach)
    TROUBLES[trouble](scene[top : int(y) + reach, left : int(x) + reach], Spot(x - left, y - top, side), rng)


def _watched(
    table: Table, frames: Sequence[Gray], tags: Tags, side_mm: float
) -> tuple[list[Sighted], list[Sighted]]:
    """What the tracker reports of each zone last, and all it ever reported."""
    vision = Vision(table.mat, tags, sticker_mm=side_mm)
    last: dict[str, ZoneSeen] = {}
    ever: list[Sighted] = []
    placed_at: float | None = None
    for number in range(_PATIENCE + round(_WATCHED_S * FPS)):
        t = number / FPS
        for event in vision.feed(Frame(t, frames[number % len(frames)])):
            if isinstance(event, ZoneSeen):
                last[event.zone] = event
                ever += _sighted(table, [event])
            elif isinstance(event, CameraState) and event.ok and placed_at is None:
                placed_at = t
        if t > (_PATIENCE / FPS if placed_at is None else placed_at + _WATCHED_S):
            break
    return _sighted(table, last.values()), ever


def _sighted(table: Table, zones: Iterable[ZoneSeen]) -> list[Sighted]:
    cards = [card for zone in zones for card in zone.cards]
    points = table.to_px(np.array([(card.x, card.y) for card in cards] or [(0.0, 0.0)]))
    return [Sighted(card.code, float(x), float(y)) for card, (x, y) in zip(cards, points, strict=False)]


class HostileTally:
    """A reader's tally with right, unread and wrong of each trouble and camera."""

    def __init__(self, tally: ReaderTally) -> None:
        self.tally = tally
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._wrong: list[str] = []
        self._misplaced = 0

    def count(
        self, hostile: HostileTable, last: Iterable[Sighted], ever: Iterable[Sighted], known: frozenset[str]
    ) -> None:
        """One table: what is reported at the end, and whatever was reported meanwhile. `known`: all tags."""
        lying = hostile.table.lying
        places = np.array([hostile.table.place(one) for one in lying])
        near = NEAR_MM * hostile.table.view.px_per_mm

        def there(seen: Sighted) -> tuple[int, bool]:
            away = np.hypot(places[:, 0] - seen.x, places[:, 1] - seen.y)
            nearest = int(away.argmin())
            return nearest, bool(away[nearest] < near) and lying[nearest].tag == seen.tag

        right = {nearest for nearest, well in map(there, last) if well}
        named = {(seen.tag, *there(seen)) for seen in ever if seen.tag in known}
        # The right sticker beside its place is the mat's fault, and no other sticker.
        misplaced = {one for one in named if not one[2] and lying[one[1]].tag == one[0]}
        wrong = sorted((tag, nearest) for tag, nearest, well in named - misplaced if not well)
        self._misplaced += len(misplaced)
        self.tally.frames += 1
        self.tally.reads += len(named)
        self.tally.wrong += len(wrong)
        for tag, nearest in wrong:
            trouble = hostile.troubles[nearest]
            self._note(trouble, hostile.camera, "wrong")
            told = f"table {self.tally.frames}: {tag} for {lying[nearest].tag or 'a stranger'}, {trouble}"
            self._wrong.append(f"{told}, {hostile.camera}")
        for number, one in enumerate(lying):
            if one.kind == OURS:
                self._note(hostile.troubles[number], hostile.camera, "right" if number in right else "unread")
        ours = sum(one.kind == OURS for one in lying)
        if self.tally.reader == LIVE:
            self.tally.shown_1s += ours
            self.tally.found_1s += len(right)
        else:
            self.tally.shown += ours
            self.tally.found += len(right)

    def _note(self, trouble: str, camera: str, outcome: str) -> None:
        self._counts["trouble", trouble, outcome] += 1
        self._counts["camera", camera, outcome] += 1

    def told(self) -> ReaderTally:
        """The tally with all that was counted."""
        for by in ("trouble", "camera"):
            names = dict.fromkeys(name for kind, name, _ in self._counts if kind == by)
            self.tally.extra[f"by_{by}"] = {
                name: [self._counts[by, name, outcome] for outcome in ("right", "unread", "wrong")]
                for name in names
            }
        self.tally.extra["misplaced"] = self._misplaced
        if self._wrong:
            self.tally.extra["wrong_readings"] = self._wrong
        return self.tally
