"""The raised pictures on virtual mattresses; all lengths in mm."""

from itertools import pairwise

import numpy as np

from companion.games.sleepless_princess.princess_mat import MATTRESS_H, MATTRESS_W
from companion.games.sleepless_princess.rules.card_kinds import face_of, face_text
from companion.virtual.rig.matrix_presses import RaisedCards, Relief, Stroke


def _ring(x: float, y: float, radius: float, pen: float, begin: float = 0.0, end: float = 1.0) -> list[Stroke]:
    """Arc of 16 strokes around (x, y) mm, anticlockwise from the right.

    `pen`: radius of a stroke's pen (mm). `begin`, `end`: angles in turns (0 to 1).
    """
    turns = np.linspace(begin, end, 17) * 2 * np.pi
    points = [(x + radius * float(np.cos(turn)), y + radius * float(np.sin(turn))) for turn in turns]
    return [(*one, *other, pen) for one, other in pairwise(points)]


def _path(pen: float, *points: tuple[float, float]) -> list[Stroke]:
    return [(*one, *other, pen) for one, other in pairwise(points)]


def _petals(number: int, radius: float, pen: float) -> list[Stroke]:
    turns = 2 * np.pi * np.arange(number) / number
    places = [(radius * float(np.cos(turn)), radius * float(np.sin(turn))) for turn in turns]
    return [(x, y, x, y, pen) for x, y in places]


PICTURES: tuple[Relief, ...] = (
    # Watermelons: a slice with its rind and pips.
    (
        *_ring(0, -8, 20, 2.6, 0.0, 0.5),
        *_path(2.6, (-20, -8), (20, -8)),
        (-7, 0, -7, 0, 2.2),
        (7, 0, 7, 0, 2.2),
    ),
    # Pizza: a wedge with two slices of salami.
    (*_path(2.4, (-17, 19), (17, 19), (0, -21), (-17, 19)), (-5, 10, -5, 10, 3.4), (5, 8, 5, 8, 3.4)),
    # Bats: spread wings.
    (
        *_path(2.6, (-23, 10), (-10, 4), (0, 10), (10, 4), (23, 10), (14, -8), (7, -2), (0, -12), (-7, -2)),
        *_path(2.6, (-7, -2), (-14, -8), (-23, 10)),
        (0, 0, 0, 0, 5.0),
    ),
    # Scarfs: two long stripes with fringes.
    (*_path(3.2, (-20, -14), (14, 18)), *_path(3.2, (-12, -20), (22, 12)), *_path(1.8, (-22, -20), (-18, -24))),
    # Daisies: six petals around the middle.
    (*_petals(6, 15.5, 5.6), (0, 0, 0, 0, 5.0)),
    # Teddy bear: a round head with two ears and a nose.
    (*_ring(0, -4, 15, 2.6), (-14, 15, -14, 15, 6.0), (14, 15, 14, 15, 6.0), (0, -7, 0, -7, 4.0)),
    # A star of five rays.
    tuple(_path(2.6, (0, 22), (13, -18), (-21, 7), (21, 7), (-13, -18), (0, 22))),
    # The moon: a crescent beside a dot.
    (*_ring(0, 0, 19, 3.4, 0.12, 0.88), *_ring(7, 0, 13, 2.4, 0.2, 0.8), (15, 0, 15, 0, 3.2)),
    # A castle: a square with battlements.
    (
        *_path(2.8, (-16, 6), (-16, -18), (16, -18), (16, 6), (-16, 6)),
        *_path(3.4, (-16, 18), (-16, 6)),
        *_path(3.4, (0, 18), (0, 6)),
        *_path(3.4, (16, 18), (16, 6)),
    ),
    # Waves: three rows.
    tuple(
        stroke
        for y in (-16, 0, 16)
        for stroke in _path(2.4, (-22, y - 3), (-11, y + 4), (0, y - 3), (11, y + 4), (22, y - 3))
    ),
)
"""Raised pictures on the mattresses, which fingers can feel; the index is the princess (0 to 9)."""


def picture_of(code: str) -> Relief | None:
    """Raised picture of a mattress, e.g. of the code M3A.

    None for a smooth one.
    """
    return None if code.endswith("S") else PICTURES[int(code[1])]


RAISED = RaisedCards(
    MATTRESS_W,
    MATTRESS_H,
    {face_text(face_of(princess, smooth=False)): picture for princess, picture in enumerate(PICTURES)},
    picture_of,
)
