"""The circuits of the rig: what the models make fail still fails, and the recommended circuit works."""

import pytest

from firmware.simulator.chips.matrix_network import MatrixCircuit, as_drawn_without_row_resistors
from tests.benchmarks.parts_bench import BAR_PF, matrix_row, scales_row, touch_row, wires_row


@pytest.mark.long
def test_without_row_resistors_no_picture_is_enrolled_and_no_press_is_right() -> None:
    row = matrix_row(as_drawn_without_row_resistors(), "home", 2, 10, 3)
    assert row["pictures refused"] == 1.0
    assert row["right"] == 0.0


def test_10_kilohm_at_each_row_is_not_enough() -> None:
    circuit = as_drawn_without_row_resistors().changed(row_ohm=10000)
    assert matrix_row(circuit, "home", 1, 10, 3)["right"] < 0.5


@pytest.mark.long
def test_470_ohm_at_each_row_and_2_2_kilohm_at_sig_tell_pictures_apart() -> None:
    row = matrix_row(MatrixCircuit(), "home", 2, 25, 3)
    assert row["pictures refused"] == 0.0
    assert row["right"] >= 0.95
    assert row["wrong"] == 0.0
    assert row["said to float"] == 0.0


def test_a_finger_is_found_on_20_and_40_pf_and_over_a_grounded_bar() -> None:
    for pf, bar_pf, least in ((20.0, 0.0, 0.99), (20.0, BAR_PF, 0.99), (40.0, 0.0, 0.97)):
        row = touch_row(pf, 100, 5, bar_pf=bar_pf)
        assert row["found"] >= least
        assert row["false"] == 0.0


def test_a_fixed_charge_and_a_fixed_threshold_find_no_finger_on_20_pf() -> None:
    assert touch_row(20.0, 30, 5, fixed=True)["found"] == 0.0


def test_cells_read_in_plain_python_do_not_sleep_unless_lines_are_read_while_sck_is_high() -> None:
    for cells in (5, 16):
        row = scales_row(cells, 20, 5)
        assert row["a second"] > 9
        assert row["wrong"] < 0.01
    hasty = scales_row(5, 20, 5, hasty=True)
    assert hasty["a second"] < 3
    assert hasty["wrong"] == 1.0


def test_a_cell_with_a_loose_wire_is_named_and_is_no_load() -> None:
    row = wires_row(5)
    assert row == {"cells": 20, "named": 20, "taken for a load": 0}
