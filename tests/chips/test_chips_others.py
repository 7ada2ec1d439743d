"""Load cells, touch, matrix, lamps and switches: drivers and debouncing against the models."""

import importlib

import pytest

from firmware.chips.hx711 import Hx711Model
from firmware.chips.matrix import MatrixModel
from firmware.chips.mpr121 import Mpr121Model
from firmware.chips.simple import ButtonModel, StripModel
from firmware.chips.world import Chance, ModelTime


def board(module):
    return importlib.import_module(f"firmware.board.{module}")


class Scales:
    """Load cells on one clock line, and the time they share."""

    def __init__(self, count=3):
        self.time = ModelTime()
        chance = Chance(1)
        self.cells = [Hx711Model(self.time, chance, 420, 13000 * at) for at in range(count)]
        self.hold_us = 2
        self.group = board("drivers.hx711").Hx711Group(
            self, [Dout(cell, self.time) for cell in self.cells], self
        )
        self.group.start()

    def value(self, level):
        self.time.us += self.hold_us
        for cell in self.cells:
            cell.clock(level)

    def ticks_us(self):
        return self.time.us

    def since_us(self, ticks):
        return self.time.us - ticks

    def lock(self):
        return 0

    def unlock(self, state):
        pass

    def read(self, patience=2000000):
        end = self.time.us + patience
        while not self.group.poll():
            self.time.us += 5000
            if self.time.us > end:
                return None
        return list(self.group.values)


class Dout:
    def __init__(self, cell, time):
        self.cell = cell
        self.time = time

    def value(self):
        self.time.us += 2
        return self.cell.value()


def test_load_cells_read_together():
    scales = Scales()
    for cell, grams in zip(scales.cells, (0.0, 10.0, -300.0), strict=True):
        cell.grams = grams
    scales.read()
    scales.time.us += 100000
    assert scales.read() == [81234, 81234 + 4200, 81234 - 126000]


def test_a_value_out_of_range_is_the_end_of_the_range():
    scales = Scales(1)
    scales.cells[0].grams = -1e9
    assert scales.read() == [-0x800000]


def test_a_dead_cell_does_not_stop_the_others():
    scales = Scales()
    scales.cells[1].dead = True
    assert scales.read() is not None
    assert scales.group.alive == [True, False, True]
    scales.cells[1].dead = False
    scales.read()
    scales.read()
    assert scales.group.alive == [True] * 3


def test_a_clock_held_high_puts_the_cells_to_sleep():
    scales = Scales(1)
    scales.read()
    scales.value(1)
    scales.time.us += 100
    scales.value(0)
    before = scales.time.us
    scales.read()
    assert scales.time.us - before >= 400000


def test_a_scale_reports_a_resting_load_once():
    scale = board("senses").Scale(420, 8, 35)
    course = [0.0] * 20 + [1.0, 3.0] + [5.0] * 40 + [0.0] * 20
    reports = [scale.decigrams for grams in course if scale.update(81234 + int(grams * 420))]
    assert reports == [0, 50, 0]


def test_a_noisy_scale_stays_near_the_truth():
    chance = Chance(2)
    scale = board("senses").Scale(420, 8, 35)
    reports = []
    for at in range(3000):
        grams = 2.0 * (at // 100) + 0.6 * chance.normal()
        if scale.update(81234 + int(grams * 420)):
            reports.append((at, scale.decigrams))
    for card in range(1, 30):
        last = [value for at, value in reports if at < 100 * card + 100][-1]
        assert abs(last - 20 * card) <= 8
    assert len(reports) < 30 * 6


def test_a_restored_zero_brings_the_old_weight_back():
    scale = board("senses").Scale(420, 8, 35)
    for _ in range(6):
        scale.update(90000)
    assert scale.decigrams == 0
    scale.set_zero(81234)
    for _ in range(6):
        scale.update(90000)
    assert scale.decigrams == round((90000 - 81234) / 42)


class Touch:
    def __init__(self):
        self.chip = Mpr121Model(Chance(3))
        self.driver = board("drivers.mpr121").Mpr121(self, 0x5A, 6, [6, 7])
        self.addr = 0x5A

    def readfrom_mem_into(self, addr, register, data):
        self.chip.read(register, data)

    def writeto_mem(self, addr, register, data):
        self.chip.write(register, data)


def test_touch_holds_as_long_as_the_finger():
    touch = Touch()
    assert touch.driver.start()
    touch.chip.sigma = 3.0
    for _ in range(50):
        touch.driver.poll()
        assert not any(touch.driver.touched)
    touch.chip.touched[2] = True
    for _ in range(5000):
        touch.driver.poll()
        assert touch.driver.touched == [False, False, True, False, False, False]
    touch.chip.touched[2] = False
    touch.driver.poll()
    touch.driver.poll()
    assert not any(touch.driver.touched)


def test_a_board_started_under_a_hand_learns_when_it_goes():
    touch = Touch()
    touch.driver.start()
    touch.chip.touched[0] = True
    touch.driver.poll()
    touch.chip.touched[0] = False
    for _ in range(6):
        touch.driver.poll()
    touch.chip.touched[0] = True
    touch.driver.poll()
    assert touch.driver.touched[0]


def test_touch_follows_slow_drift():
    touch = Touch()
    touch.driver.start()
    for at in range(4000):
        touch.chip.drift = at / 40
        touch.driver.poll()
        assert not any(touch.driver.touched)
    touch.chip.touched[0] = True
    touch.driver.poll()
    assert touch.driver.touched[0]


def test_switches_on_the_touch_chip():
    touch = Touch()
    touch.driver.start()
    touch.chip.closed[7] = True
    touch.driver.poll()
    assert (touch.driver.switch(6), touch.driver.switch(7)) == (False, True)


def test_a_dead_touch_chip_raises():
    touch = Touch()
    touch.chip.dead = True
    with pytest.raises(OSError, match="19"):
        touch.driver.start()


def test_matrix_scans_row_by_row():
    chip = MatrixModel(Chance(1))
    cells = [(at % 16) / 16 for at in range(256)]
    chip.press(cells)

    class Lines:
        def __init__(self, axis):
            self.axis = axis

        def select(self, channel):
            setattr(chip, self.axis, channel)

    matrix = board("drivers.matrix").Matrix(chip, Lines("row"), Lines("col"))
    assert matrix.scan() == max(matrix.frame)
    assert list(matrix.frame) == [int(cell * 65535) >> 8 for cell in cells]
    with pytest.raises(ValueError, match="16 rows"):
        chip.press([0.0])


def test_lamps_are_sent_when_they_change():
    strip = StripModel(2)
    lamps = board("drivers.lamps").Lamps(strip, 2)
    lamps.set(1, 1, 2, 3)
    lamps.show()
    lamps.show()
    assert strip.colours == [(0, 0, 0), (1, 2, 3)]
    assert strip.writes == 1


def test_a_bouncing_button_is_pressed_once():
    time = ModelTime()
    button = ButtonModel(time, Chance(5))
    switch = board("drivers.buttons").Switch(2)
    changes = []
    for at in range(400):
        time.us = at * 10000
        if at % 50 == 0:
            button.press(at % 100 == 0)
        if switch.update(not button.value()):
            changes.append(switch.state)
    assert changes == [True, False] * 4


def test_tag_field_wants_a_second_look():
    field = board("senses").TagField(2, 4)
    assert not field.update([b"ghost"])
    assert not field.update([])
    assert not field.update([b"a"])
    assert field.update([b"a"])
    assert not any(field.update(found) for found in ([], [], [], [b"a"], [], [], []))
    assert field.update([])
    assert field.uids == []
