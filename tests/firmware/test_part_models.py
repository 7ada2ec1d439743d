"""The models of matrix, touch chip and load cells obey network theory and data sheets. No driver is
involved."""

from itertools import pairwise

import numpy as np
import pytest

from firmware.board.default_rig import DEFAULT_RIG
from firmware.simulator.chips.hx711_model import FIVE_KG, ONE_KG, SLEEP_US, UPDATE_US, Hx711Model
from firmware.simulator.chips.matrix_model import MatrixModel
from firmware.simulator.chips.matrix_network import (
    MatrixCircuit,
    as_drawn_without_row_resistors,
    crossing_siemens,
)
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.simulator.chips.mpr121_model import Mpr121Model

QUIET = {"adc_noise_lsb": 0.0}
AS_DRAWN = as_drawn_without_row_resistors().changed(**QUIET)
MENDED = MatrixCircuit().changed(**QUIET)


def pattern(seed, pressed=0.4):
    chance = np.random.default_rng(seed)
    cells = chance.uniform(0, 1, (16, 16)) * (chance.uniform(0, 1, (16, 16)) < pressed)
    return [float(cell) for cell in cells.ravel()]


def matrix(circuit, cells, **faults):
    model = MatrixModel(ModelTime(), Chance(1), circuit)
    model.press(cells)
    for fault, value in faults.items():
        setattr(model, fault, value)
    return model


def scan(model, wait_us=100):
    """16 rows of 16 voltages at SIG, `wait_us` after each change of a multiplexer."""
    volts = np.zeros((16, 16))
    for row in range(16):
        model.select_row(row)
        for col in range(16):
            model.select_col(col)
            model.time.us += wait_us
            volts[row, col] = model.volts()
    return volts


def stamped(circuit, cells, row, col, *, shorts=(), open_rows=()):
    """Conductances (33x33) and currents (33) of the whole network: 16 rows, 16 columns, SIG. The reference."""
    nodal = np.zeros((33, 33))

    def resistor(a, b, ohm):
        nodal[a, a] += 1 / ohm
        if b is not None:
            nodal[b, b] += 1 / ohm
            nodal[a, b] -= 1 / ohm
            nodal[b, a] -= 1 / ohm

    for at in range(16):
        for other in range(16):
            resistor(at, 16 + other, 1 / crossing_siemens(circuit, cells[at * 16 + other]))
        for node in (at, 16 + at):
            resistor(node, None, circuit.leak_ohm)
        if circuit.row_ohm and at not in open_rows:
            resistor(at, None, circuit.row_ohm)
        if circuit.col_ohm:
            resistor(16 + at, None, circuit.col_ohm)
    for a, b in shorts:
        resistor(a, b, 1.0)
    current = np.zeros(33)
    if row not in open_rows:
        resistor(row, None, circuit.switch_ohm)
        current[row] = circuit.supply_v / circuit.switch_ohm
    resistor(16 + col, 32, circuit.switch_ohm)
    resistor(32, None, circuit.sig_ohm)
    return nodal, current


def reference(circuit, cells, **faults):
    return np.array(
        [
            [np.linalg.solve(*stamped(circuit, cells, row, col, **faults))[32] for col in range(16)]
            for row in range(16)
        ]
    )


@pytest.mark.parametrize("circuit", [AS_DRAWN, MENDED, MENDED.changed(row_ohm=1000, col_ohm=1000)])
def test_the_matrix_agrees_with_nodal_analysis_of_all_33_nodes(circuit):
    cells = pattern(3)
    settled = scan(matrix(circuit, cells), wait_us=100_000_000)
    assert np.abs(settled - reference(circuit, cells)).max() < 1e-4


def test_an_open_row_and_two_joined_strips_agree_with_nodal_analysis():
    cells = pattern(4)
    faults = {"dead_rows": [6], "shorted_rows": [(2, 3)], "shorted_cols": [(9, 14)]}
    settled = scan(matrix(MENDED, cells, **faults), wait_us=100_000)
    expected = reference(MENDED, cells, shorts=[(2, 3), (25, 30)], open_rows=[6])
    assert np.abs(settled - expected).max() < 1e-6
    assert settled[6].max() == 0
    assert np.allclose(settled[2], settled[3], rtol=0.05)
    assert np.allclose(settled[:, 9], settled[:, 14], rtol=0.1)


def test_an_open_column_reads_nothing():
    assert scan(matrix(MENDED, pattern(4), dead_cols=[5]))[:, 5].max() < 1e-6


def test_pressing_three_corners_lights_the_fourth_without_row_resistors():
    cells = [0.0] * 256
    cells[0] = cells[15] = cells[240] = 0.8
    fourth = scan(matrix(AS_DRAWN, cells))[15, 15] / scan(matrix(AS_DRAWN, cells))[0, 0]
    mended = scan(matrix(MENDED, cells))[15, 15] / scan(matrix(MENDED, cells))[0, 0]
    assert fourth > 0.45
    assert mended < 0.06


def test_pressed_crossings_read_8_to_35_of_255_with_the_resistors():
    for pressure, low, high in ((0.25, 7, 11), (1.0, 30, 38)):
        cells = [0.0] * 256
        cells[100] = pressure
        assert low < scan(matrix(MENDED, cells)).max() / 3.3 * 255 < high


def transient(circuit, cells, wait_us):
    """What SIG shows `wait_us` after each change, with the charge of all 33 nodes followed exactly."""
    farads = np.full(33, circuit.strip_pf * 1e-12)
    farads[32] = circuit.sig_pf * 1e-12
    root = 1 / np.sqrt(farads)
    volts, shown = np.zeros(33), np.zeros((16, 16))
    for row in range(16):
        for col in range(16):
            nodal, current = stamped(circuit, cells, row, col)
            final = np.linalg.solve(nodal, current)
            rates, modes = np.linalg.eigh(nodal * np.outer(root, root))
            away = modes.T @ ((volts - final) / root)
            volts = final + root * (modes @ (away * np.exp(-rates * wait_us * 1e-6)))
            shown[row, col] = volts[32]
    return shown


def test_two_microseconds_are_enough_with_the_resistors_and_not_without():
    cells = pattern(5)
    worst = {
        name: np.abs(transient(circuit, cells, 2) - reference(circuit, cells)).max() / 3.3 * 255
        for name, circuit in (("drawn", AS_DRAWN), ("mended", MENDED))
    }
    assert worst["drawn"] > 3
    assert worst["mended"] < 0.2
    # The model follows SIG alone, not the charge of 32 strips.
    assert np.abs(scan(matrix(MENDED, cells), 2) - reference(MENDED, cells)).max() / 3.3 * 255 < 0.2


def test_the_converter_has_twelve_bits_and_its_noise():
    model = matrix(MatrixCircuit(), [1.0] * 256)
    model.time.us += 1000
    readings = {model.read_u16() for _ in range(300)}
    assert len(readings) > 5
    assert np.std(list(readings)) < 300
    quiet = matrix(MENDED, [1.0] * 256)
    quiet.time.us += 1000
    assert {quiet.read_u16() for _ in range(50)} == {quiet.read_u16()}


# The touch chip.


def touch_chip(pf=20.0, finger_pf=1.8, sigma=0.0):
    chip = Mpr121Model(ModelTime(), Chance(1))
    chip.sigma = sigma
    for foil in chip.electrodes:
        foil.pf, foil.finger_pf = pf, finger_pf
    return chip


def filtered(chip, electrode=0):
    chip.time.us += 200_000
    data = bytearray(2)
    chip.read(4 + 2 * electrode, data)
    return data[0] | data[1] << 8


def register(chip, address):
    data = bytearray(1)
    chip.read(address, data)
    return data[0]


def autoconfigured(chip, run=0x8C):
    chip.write(0x7B, bytes([0x0B]))
    chip.write(0x7D, bytes([200, 130, 180]))
    chip.write(0x5E, bytes([run]))
    return chip


@pytest.mark.parametrize("pf", [5.0, 10.0, 20.0, 40.0, 60.0])
def test_the_power_on_charge_gives_2482_counts_divided_by_the_capacitance(pf):
    chip = touch_chip(pf)
    chip.write(0x5E, b"\x0c")
    assert filtered(chip) == pytest.approx(2482 / pf, abs=1)


def test_a_finger_on_20_pf_moves_the_power_on_reading_by_ten_counts():
    chip = touch_chip()
    chip.write(0x5E, b"\x0c")
    alone = filtered(chip)
    chip.touched[0] = True
    assert alone - filtered(chip) == 10


@pytest.mark.parametrize("pf", [5.0, 10.0, 20.0, 40.0, 60.0])
def test_autoconfiguration_charges_each_electrode_to_the_target(pf):
    chip = autoconfigured(touch_chip(pf))
    assert 640 <= filtered(chip) <= 720
    assert register(chip, 2) == register(chip, 3) == 0
    chip.touched[0] = True
    assert filtered(chip) == pytest.approx(chip.counts(1) * pf / (pf + 1.8), abs=1)


def test_autoconfiguration_flags_what_it_cannot_charge():
    chip = touch_chip()
    chip.electrodes[3].wire = "ground"
    chip.electrodes[9].pf = 3000.0
    autoconfigured(chip)
    assert register(chip, 2) == 1 << 3
    assert register(chip, 3) == 0x80 | 1 << 1


def test_registers_can_only_be_written_in_stop_mode():
    chip = autoconfigured(touch_chip())
    chip.write(0x41, b"\x14")
    assert register(chip, 0x41) == 0
    chip.write(0x5E, b"\x00")
    chip.write(0x41, b"\x14")
    assert register(chip, 0x41) == 0x14


def test_thresholds_debounce_and_release_follow_the_data_sheet():
    chip = touch_chip()
    chip.write(0x41, bytes([30, 20] * 12))
    autoconfigured(chip, 0xCC)
    filtered(chip)
    assert register(chip, 0) == 0
    chip.touched[2] = True
    filtered(chip)
    assert register(chip, 0) == 1 << 2
    chip.touched[2] = False
    filtered(chip)
    assert register(chip, 0) == 0


def test_the_baseline_follows_drift_and_takes_in_a_resting_hand():
    chip = touch_chip()
    chip.write(0x2B, bytes([1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0]))
    chip.write(0x41, bytes([255, 255] * 12))
    autoconfigured(chip, 0xCC)
    filtered(chip)
    start = register(chip, 0x1E)
    chip.electrodes[0].bar_pf = 1.0
    for _ in range(60):
        filtered(chip)
    assert register(chip, 0x1E) < start - 5
    assert abs((register(chip, 0x1E) << 2) - filtered(chip)) <= 4


def test_data_change_once_a_filter_period():
    chip = touch_chip(sigma=3.0)
    autoconfigured(chip)
    filtered(chip)
    readings = []
    for _ in range(200):
        chip.time.us += 1000
        data = bytearray(2)
        chip.read(4, data)
        readings.append(data[0] | data[1] << 8)
    assert 1 <= sum(a != b for a, b in pairwise(readings)) <= 4


# The load cells.


class Cell:
    def __init__(self, per_gram=ONE_KG.counts_per_gram, **faults):
        self.time = ModelTime()
        self.chip = Hx711Model(self.time, Chance(1), per_gram, 0)
        for fault, value in faults.items():
            setattr(self.chip, fault, value)

    def ready(self):
        while self.chip.value():
            self.time.us += 100

    def read(self, high_us=1, low_us=1, pulses=25):
        self.ready()
        value = 0
        for at in range(pulses):
            self.chip.clock(1)
            self.time.us += high_us
            self.chip.clock(0)
            if at < 24:
                value = value << 1 | self.chip.value()
            self.time.us += low_us
        return value - (1 << 24 if value & 0x800000 else 0)


def test_a_high_clock_of_more_than_60_us_sleeps_and_wakes_after_four_conversions():
    cell = Cell()
    cell.read(high_us=SLEEP_US)
    cell.ready()
    cell.chip.clock(1)
    cell.time.us += SLEEP_US + 1
    assert cell.chip.value() == 1
    cell.chip.clock(0)
    slept = cell.time.us
    cell.ready()
    assert 400_000 <= cell.time.us - slept <= 401_000


def test_reading_five_lines_in_plain_python_while_the_clock_is_high_never_gets_a_number():
    cell = Cell(noise_counts=0.0)
    wrong = [cell.read(high_us=73) for _ in range(5)]
    assert all(value == -1 for value in wrong), wrong
    assert cell.read(high_us=15, low_us=73) == 81234


def test_a_conversion_that_ends_within_a_read_garbles_it():
    cell = Cell(noise_counts=0.0, offset=0x155555)
    cell.read()
    cell.ready()
    cell.time.us = cell.chip._next_us - 12
    cell.chip.offset = 0x2AAAAA
    assert cell.read() not in (0x155555, 0x2AAAAA)
    assert cell.read() == 0x2AAAAA


def test_dout_is_high_for_a_moment_when_a_result_replaces_an_old_one():
    cell = Cell()
    cell.ready()
    cell.time.us = cell.chip._next_us
    assert cell.chip.value() == 1
    cell.time.us += UPDATE_US
    assert cell.chip.value() == 0


def test_a_1_kg_cell_has_five_times_the_counts_and_a_fifth_of_the_creep():
    shares = {}
    for name, kind in (("1 kg", ONE_KG), ("5 kg", FIVE_KG)):
        cell = Cell(kind.counts_per_gram, creep_g=kind.creep_g, noise_counts=0.0)
        cell.chip.grams = 500.0
        first = cell.read()
        cell.time.us += 1_800_000_000
        shares[name] = first - 81234, (cell.read() - first) / kind.counts_per_gram
    assert shares["1 kg"][0] == 1_050_000
    assert shares["5 kg"][0] == 210_000
    assert 0.3 <= shares["1 kg"][1] <= 0.5
    assert 1.5 <= shares["5 kg"][1] <= 2.5


def test_the_recommended_rig_has_cells_of_1_kg():
    cells = [station["count"] for station in DEFAULT_RIG["stations"] if "count" in station]
    assert [cell["counts_per_gram"] for cell in cells] == 5 * [ONE_KG.counts_per_gram]


@pytest.mark.parametrize(
    ("wire", "values"),
    [("zero", {0, -1}), ("stuck", {81234}), ("low", {-0x800000}), ("high", {0x7FFFFF})],
)
def test_a_loose_wire_repeats_numbers_that_weight_does_not_change(wire, values):
    cell = Cell(wire=wire)
    readings = set()
    for grams in range(20):
        cell.chip.grams = 50.0 * grams
        readings.add(cell.read())
    assert readings == values


def test_weight_makes_a_reversed_cell_smaller():
    cell = Cell(reversed=True)
    empty = cell.read()
    cell.chip.grams = 100.0
    cell.time.us += 200_000
    assert cell.read() < empty - 200_000


def test_a_rail_out_of_regulation_is_louder():
    quiet, loud = Cell(), Cell(noise_counts=400.0)
    assert np.std([loud.read() for _ in range(50)]) > 5 * np.std([quiet.read() for _ in range(50)])


def test_26_pulses_choose_the_other_channel_and_27_half_the_gain():
    cell = Cell(noise_counts=0.0, offset=0)
    cell.chip.grams = 100.0
    assert cell.read(pulses=27) == 210_000
    assert cell.read(pulses=26) == 105_000
    assert cell.read() == 0
    assert cell.read() == 210_000
