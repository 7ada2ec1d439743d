"""Rows of cards without stickers on a drawn mat, strangers among them, as the live camera sees them."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.appearance import PhysicalCard
from companion.virtual.render.art_faces import DECKS
from companion.virtual.render.art_looks import ArtLooks
from companion.virtual.render.looks import Looks
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.render.table_surface import outline_zone
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.world import World
from tests.benchmarks.art_styles import HELD_OUT, held_out_faces
from vision.art.art_on_mat import ArtCard, LiveArt
from vision.art.row_enrolment import enrol_rows
from vision.mat.mat_finder import register
from vision.mat.registration import Rect, Registration
from vision.mat_geometry import Mat, Zone, corner_markers

KINDS, ENROLLED, IN_A_ROW = 36, 30, 10
"""Kinds that exist, how many of them are enrolled, and cards in a row."""
_CARD = (56.0, 87.0)
_MAT = Mat("bench", 960, 540, corner_markers(240, 960, 540), (Zone("row", 130, 200, 700, 130),))
_NAMES = [f"K{number:02d}" for number in range(KINDS)]
_CARDS = [PhysicalCard(f"{name}.{copy}", name, name) for name in _NAMES for copy in (1, 2)]
_FIRST_X, _STEP_X, _Y = 160.0, 70.0, 265.0
_OFF_MM, _TURN_DEG = 2.5, 3.0
"""Standard deviations of a card's place (mm) and turn (degrees) in its row."""
_ASKEW, _ASKEW_DEG = 0.05, 25.0
"""Share of the cards that lie askew, and by how much at most."""
_NEAR_MM = 20.0
"""Greatest distance (mm) from the true place of a card at which a name is counted as this card's."""
_AROUND_MM = (50.0, 65.0)
"""Half the width and height of what is looked at when one card has changed."""


@dataclass(slots=True)
class RowTally:
    """What happened to the cards that were shown, and CPU times (ms) of whole rows and of one changed card."""

    shown: int = 0
    named: int = 0
    wrong: int = 0
    strangers: int = 0
    strangers_named: int = 0
    row_ms: list[float] = field(default_factory=list)
    one_ms: list[float] = field(default_factory=list)
    by_style: dict[str, list[int]] = field(default_factory=dict)


class _PlainLooks(Looks):
    """Cards of one size on a mat with one zone; the art comes from elsewhere."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        return _CARD

    def printed(
        self, card: PhysicalCard | None, code: str, side: str
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        raise AssertionError("only faces lie in a row")

    def draw_zone(self, sheet: NDArray[np.uint8], zone: Zone) -> None:
        outline_zone(sheet, zone)


def bench_rows(rows: int, seed: int, styles: tuple[str, ...] = DECKS, noise: str = "home") -> dict[str, Any]:
    """Rows of ten cards in each style, every other deck in sleeves: 30 of 36 kinds are enrolled.

    `row_ms`: CPU time for a row of which nothing is known; `one_card_ms`: for one card that has changed in it.
    `wrong` counts enrolled cards and bare places that were named wrongly, `strangers_named` other cards.
    """
    tally = RowTally()
    for number, style in enumerate(styles):
        tally.by_style[style] = [0, 0]
        art: LiveArt | None = None
        for deck, picture, registration, lying in _tables(
            style, seed + number, rows, noise, sleeved=(seed + number) % 2 > 0
        ):
            rect = registration.zone_rect(_MAT.zone("row"), 8)
            if art is not deck:
                art = deck
                art.look(picture, rect, registration)  # its templates are made at the first look
            started = time.process_time()
            seen = art.look(picture, rect, registration)
            tally.row_ms.append(1e3 * (time.process_time() - started))
            _score(tally, style, seen.cards, lying)
            _one_changed(tally, art, picture, registration, seen.cards, lying)
    spent = sum(tally.row_ms)
    return {
        "cards_shown": tally.shown,
        "cards_named": round(tally.named / max(1, tally.shown), 4),
        "wrong": tally.wrong,
        "strangers": tally.strangers,
        "strangers_named": tally.strangers_named,
        "cards_a_second": round(1e3 * len(tally.row_ms) * IN_A_ROW / spent, 1) if spent else 0.0,
        "row_ms": round(float(np.mean(tally.row_ms)), 1),
        "row_p95_ms": round(float(np.percentile(tally.row_ms, 95)), 1),
        "one_card_ms": round(float(np.mean(tally.one_ms)), 1),
        "named_by_style": {style: f"{right} of {all_}" for style, (right, all_) in tally.by_style.items()},
    }


def _tables(
    style: str, seed: int, rows: int, noise: str, *, sleeved: bool
) -> Iterator[tuple[LiveArt, NDArray[np.uint8], Registration, list[ArtCard]]]:
    """The enrolled deck, and pictures of rows with where the mat and every card lie."""
    rng = np.random.default_rng([seed, 5])
    looks = ArtLooks(_PlainLooks(), _CARDS, style if style in DECKS else DECKS[0], seed, sleeved=sleeved)
    if style in HELD_OUT:
        looks.draw_instead(dict(zip(_NAMES, held_out_faces(style, KINDS, seed), strict=True)))
    known = _NAMES[:ENROLLED]
    art = LiveArt(enrol_rows([looks.in_rows(known, seed)], known, short_mm=min(_CARD)).book)
    world = World()
    camera = TableCamera(world, _MAT, _CARDS, looks, profile(noise), Random(seed))
    for row in range(rows):
        for code in list(world.things):
            world.take(code)
        lying = []
        for place, number in enumerate(rng.permutation(len(_CARDS))[:IN_A_ROW]):
            card = _CARDS[int(number)]
            x, y = _FIRST_X + _STEP_X * place + rng.normal(0, _OFF_MM), _Y + rng.normal(0, _OFF_MM)
            angle = rng.normal(0, _TURN_DEG) + 180 * int(rng.integers(2))
            if rng.random() < _ASKEW:
                angle += rng.uniform(-_ASKEW_DEG, _ASKEW_DEG)
            world.put(card.code, (x, y), angle)
            lying.append(ArtCard(card.kind, x, y, angle, 1.0))
        picture = camera.frame(float(row))
        registration = register(_MAT, np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8))
        if registration is not None:
            yield art, picture, registration, lying


def _score(tally: RowTally, style: str, seen: tuple[ArtCard, ...], lying: list[ArtCard]) -> None:
    """Count what was named against what lies there."""
    known = set(_NAMES[:ENROLLED])
    for card in lying:
        here = {one.kind for one in seen if _near(one, card)}
        if card.kind in known:
            tally.shown += 1
            tally.named += here == {card.kind}
            tally.wrong += bool(here - {card.kind})
            tally.by_style[style][0] += here == {card.kind}
            tally.by_style[style][1] += 1
        else:
            tally.strangers += 1
            tally.strangers_named += bool(here)
    tally.wrong += sum(not any(_near(one, card) for card in lying) for one in seen)


def _one_changed(
    tally: RowTally,
    art: LiveArt,
    picture: NDArray[np.uint8],
    registration: Registration,
    seen: tuple[ArtCard, ...],
    lying: list[ArtCard],
) -> None:
    """Time a look at one card of the row, all others known, in its surroundings alone."""
    changed = lying[IN_A_ROW // 2]
    x, y = _AROUND_MM
    ends = registration.to_px([(changed.x - x, changed.y - y), (changed.x + x, changed.y + y)]).astype(int)
    rect: Rect = (int(ends[0, 0]), int(ends[0, 1]), int(ends[1, 0]), int(ends[1, 1]))
    known = [one for one in seen if not _near(one, changed)]
    started = time.process_time()
    art.look(picture, rect, registration, known)
    tally.one_ms.append(1e3 * (time.process_time() - started))


def _near(one: ArtCard, other: ArtCard) -> bool:
    return abs(one.x - other.x) < _NEAR_MM and abs(one.y - other.y) < _NEAR_MM
