"""Tables full of cards: our reader and the stock ones on the same frames, one at a time and over a second."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from companion.games.appearance import PhysicalCard
from companion.games.registry import DEFAULT_GAME, load_game
from tests.benchmarks.cheap_optics import POOR, TYPICAL, Frame8, Optics
from tests.benchmarks.vision_prints import PRINT_PX_MM
from tests.benchmarks.vision_readers import (
    ArucoReader,
    Reader,
    Sighted,
    TableReader,
    stock_readers,
)
from tests.benchmarks.vision_table import DAMAGED, OURS, STRANGER, CameraView, Table, dealt, table
from tests.benchmarks.vision_tally import ReaderTally, judged, whole
from vision.camera.frames import Frame
from vision.codes.sticker_set import Gray, Tags
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CameraState, ZoneSeen

FPS = 15
"""What cheap cameras give at full size indoors."""
_FRAMES_OURS = 5
"""Of each table our reader reads so many one by one, besides the second that the tracker watches."""
_PATIENCE = 60
"""Frames after which a mat that was not found will not be found."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A kind of table. `side_mm` is the white square of stickers, the black one of markers.

    `width`, `height` in px, `px_per_mm` in the middle of the picture, `dots_mm` of the printer, `bend` is k1 of
    the lens.
    """

    name: str
    side_mm: float
    width: int
    height: int
    px_per_mm: float
    markers: bool = False
    kinds: tuple[str, ...] = (OURS,)
    optics: Optics = TYPICAL
    dots_mm: float = PRINT_PX_MM
    bend: float = 0.0


SCENES = {
    scene.name: scene
    for scene in (
        Scene("cards-15mm-1080p", 15, 1920, 1080, 1.92),
        Scene("cards-20mm-1080p", 20, 1920, 1080, 1.92),
        Scene("cards-15mm-1080p-poor", 15, 1920, 1080, 1.92, optics=POOR),
        Scene("cards-15mm-1080p-bent", 15, 1920, 1080, 1.92, bend=-0.2),
        Scene("cards-15mm-1080p-barrel", 15, 1920, 1080, 1.92, bend=-0.3),
        Scene("cards-15mm-4px", 15, 4056, 2282, 4.0),
        Scene("markers-20mm-1080p", 20, 1920, 1080, 1.92, markers=True),
        Scene("strangers-15mm-1080p", 15, 1920, 1080, 1.92, kinds=(OURS, DAMAGED, STRANGER)),
    )
}
"""45 cards (21 markers) over a metre; among strangers a third each are whole, damaged and foreign."""


def cards_of(scene: Scene) -> list[PhysicalCard]:
    """The cards of the default game that carry what the scene is about."""
    game = load_game(DEFAULT_GAME)
    return [card for card in game.cards("basic") if (card.marker is not None) == scene.markers]


def run_scene(scene: Scene, tables: int, reads: int, seed: int) -> list[ReaderTally]:
    """Every reader's tally over `tables` tables and as many more as our reader needs for `reads` reads.

    A stock decoder is given as many frames of a second as it can read in one.
    """
    cards = cards_of(scene)
    tags = tags_of(cards)
    known = frozenset([*tags.payloads, *(str(marker) for marker in tags.markers)])
    ours = TableReader(tags.payloads, scene.side_mm)
    others: list[Reader] = [ArucoReader()] if scene.markers else stock_readers()
    tallies = {reader.name: ReaderTally(scene.name, reader.name) for reader in (ours, *others)}
    number = 0
    while number < tables or tallies[ours.name].reads < reads:
        rng = np.random.default_rng((seed, number))
        lying = table(
            dealt(cards, scene.side_mm, rng, scene.kinds, scene.dots_mm),
            CameraView.at_random(scene.width, scene.height, scene.px_per_mm, rng, scene.bend),
            scene.optics,
            rng,
        )
        watched = number < tables
        frames = [grey(lying.frame(scene.optics, rng)) for _ in range(FPS if watched else _FRAMES_OURS)]
        if watched:
            _one_second(lying, frames, tags, scene.side_mm, known, tallies[ours.name])
            for reader in others:
                _frames(reader, lying, frames, known, tallies[reader.name])
        ours.watch(lying, frames[0])
        _frames(ours, lying, frames[:_FRAMES_OURS], known, tallies[ours.name], second=False)
        number += 1
    return list(tallies.values())


def tags_of(cards: Sequence[PhysicalCard]) -> Tags:
    """A tag table in which every tag stands for itself."""
    return Tags(
        {card.payload: card.payload for card in cards if card.payload},
        {card.marker: str(card.marker) for card in cards if card.marker is not None},
    )


def grey(frame: Frame8) -> Gray:
    """As the live camera greys it."""
    return Frame(0.0, frame).gray


def _frames(
    reader: Reader,
    lying: Table,
    frames: Sequence[Gray],
    known: frozenset[str],
    tally: ReaderTally,
    *,
    second: bool = True,
) -> None:
    """Frame after frame by itself; with `second`, what was read in any of them is read within the second."""
    expected = whole(lying)
    union: set[int] = set()
    before = len(tally.milliseconds)
    for gray in frames:
        sightings = tally.timed(partial(reader.read, gray))
        found, named, wrong = judged(lying, sightings, known)
        union |= found
        tally.frames += 1
        tally.shown += len(expected)
        tally.found += len(found & expected)
        tally.reads += named
        tally.wrong += wrong
        if second and sum(tally.milliseconds[before:]) > 1000:
            break
    if second:
        tally.shown_1s += len(expected)
        tally.found_1s += len(union & expected)


def _one_second(
    lying: Table, frames: Sequence[Gray], tags: Tags, side_mm: float, known: frozenset[str], tally: ReaderTally
) -> None:
    """The whole way of the live camera: what it has reported a second after it found the mat."""
    vision = Vision(lying.mat, tags, sticker_mm=side_mm)
    reported: dict[str, ZoneSeen] = {}
    placed_at: float | None = None
    for t, gray in _stream(frames):
        for event in vision.feed(Frame(t, gray)):
            if isinstance(event, ZoneSeen):
                reported[event.zone] = event
            elif isinstance(event, CameraState) and event.ok and placed_at is None:
                placed_at = t
        if t > (_PATIENCE / FPS if placed_at is None else placed_at + 1.0):
            break
    cards = [card for zone in reported.values() for card in zone.cards]
    points = lying.to_px(np.array([(c.x, c.y) for c in cards] or [(0.0, 0.0)]))
    sightings = [Sighted(card.code, float(x), float(y)) for card, (x, y) in zip(cards, points, strict=False)]
    found, named, wrong = judged(lying, sightings, known)
    tally.shown_1s += len(whole(lying))
    tally.found_1s += len(found & whole(lying))
    tally.reads += named
    tally.wrong += wrong


def _stream(frames: Sequence[Gray]) -> Iterator[tuple[float, Gray]]:
    """The frames over and over, as a camera at rest gives them."""
    number = 0
    while True:
        yield number / FPS, frames[number % len(frames)]
        number += 1
