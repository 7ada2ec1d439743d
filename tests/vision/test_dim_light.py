"""Cards in dim light: a dim picture is lifted before cards are looked for by their pictures."""

import numpy as np

from vision.art.art_light import lifted


def test_a_dim_picture_is_lifted_as_a_whole_and_a_lit_one_left_alone() -> None:
    lit = np.full((400, 600, 3), 60, np.uint8)
    lit[:40, :40] = 215  # white paper: more than a half per cent
    part = lit[100:200, 100:200]
    assert lifted(part, lit) is part
    dim = (lit * 0.5).astype(np.uint8)
    brighter = lifted(dim[:60, :60], dim)
    assert brighter[:40, :40].mean() == 200
    assert abs(brighter[50:, 50:].mean() - 60 * 200 / 215) < 1.5, "cloth and paper by the same factor"


def test_a_black_picture_stays_black() -> None:
    black = np.zeros((80, 80), np.uint8)
    assert not lifted(black, black).any()
