"""Load cells, touch, matrix, lamps and switches: drivers and debouncing against the models."""

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.simulator.chips.button_strip_beeper import ButtonModel, StripModel
from firmware.simulator.chips.hx711_model import Hx711Model
from firmware.simulator.chips.matrix_model import MatrixModel
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.simulator.chips.mpr121_model import Mpr121Model


def board(module):
    return importlib.import_module(f"firmware.board.{module}")


class Scales:
    """Load cells on one clock line, and the time they share."""

    def __init__(self, count=3):
        self.time = ModelTime()
        chance = Chance(1)
        self.cells = [Hx711Model(self.time, chance, 420, 13000 * at) for at in range(count)]
        self.pulse_us = []
        self.group = board("drivers.hx711").Hx711Group(20, range(count), self)
        self.group.start()

    def pin_out(self, number):
        assert number == 20
        return self

    def pin_in(self, number):
        return Dout(self.cells[number], self.time)

    def value(self, level):
        self.time.us += 2
        for cell in self.cells:
            cell.clock(level)

    def ticks_us(self):
        return self.time.us

    def since_us(self, ticks):
        return self.time.us - ticks

    def lock(self):
        return self.time.us

    def unlock(self, state):
        self.pulse_us.append(self.time.us - state)

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
    # No interrupt may stretch a pulse to the 60 us that put the cells to sleep.
    assert len(scales.pulse_us) == 50
    assert max(scales.pulse_us) < 50


def test_a_value_out_of_range_is_the_end_of_the_range():
    scales = Scales(1)
    scales.cells[0].grams = -1e9
    assert scales.read() == [-0x800000]
    scales.cells[0].saturated = True
    scales.time.us += 100000
    assert scales.read() == [0x7FFFFF]


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
    scale = board("weight_debounce").Scale(420, 8, 35)
    course = [0.0] * 20 + [1.0, 3.0] + [5.0] * 40 + [0.0] * 20
    reports = [scale.decigrams for grams in course if scale.update(81234 + int(grams * 420))]
    assert reports == [0, 50, 0]


def test_a_noisy_scale_stays_near_the_truth():
    chance = Chance(2)
    scale = board("weight_debounce").Scale(420, 8, 35)
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
    scale = board("weight_debounce").Scale(420, 8, 35)
    for _ in range(20):
        scale.update(90000)
    assert scale.decigrams == 0
    scale.set_zero(81234)
    for _ in range(6):
        scale.update(90000)
    assert scale.decigrams == round((90000 - 81234) / 42)


def test_a_scale_takes_any_calibration_and_any_offset():
    for per_gram in (1, 37, 419.7, 40000):
        for offset in (-8000000, 0, 8000000 - 10 * int(per_gram)):
            scale = board("weight_debounce").Scale(per_gram, 8, 35)
            reports = [
                scale.decigrams
                for at in range(60)
                if scale.update(offset if at < 30 else offset + int(10 * int(per_gram + 0.5)))
            ]
            assert reports == [0, 100]
            assert scale.report()[2] == offset


def test_a_scale_knows_its_noise():
    chance = Chance(7)
    scale = board("weight_debounce").Scale(420, 8, 35)
    assert scale.sigma() is None
    for _ in range(100):
        scale.update(81234 + int(200 * chance.normal()))
    assert 100 < scale.sigma() < 350


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


def test_a_touch_chip_that_lost_its_power_says_so():
    touch = Touch()
    touch.driver.start()
    touch.driver.poll()
    touch.chip.brown_out()
    with pytest.raises(OSError, match="settings"):
        touch.driver.poll()
    assert not any(touch.driver.touched)
    assert touch.driver.start()
    touch.driver.poll()
    assert not any(touch.driver.touched)


def test_an_electrode_on_ground_does_not_hide_the_others():
    touch = Touch()
    touch.driver.start()
    honest = touch.chip._filtered
    touch.chip._filtered = lambda electrode: 0 if electrode == 1 else honest(electrode)
    for _ in range(5):
        touch.driver.poll()
    touch.chip.touched[4] = True
    touch.driver.poll()
    assert touch.driver.touched == [False, False, False, False, True, False]
    ok, text = touch.driver.selftest()
    assert not ok
    assert text.startswith("base 600,0,600")


def test_the_touch_chips_numbers():
    touch = Touch()
    touch.driver.start()
    touch.chip.sigma = 4.0
    for _ in range(500):
        touch.driver.poll()
    ok, text = touch.driver.selftest()
    assert ok
    assert len(text) <= 120
    noise = [int(number) for number in text.split("noise ")[1].split(",")]
    assert all(2 <= number <= 5 for number in noise)


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

    class Hal:
        def adc(self, number):
            return chip

        def selector(self, pins):
            return Lines("row" if pins[0] == 0 else "col")

    matrix = board("drivers.matrix").Matrix(26, (0, 1, 2, 3), (4, 5, 6, 7), Hal())
    assert matrix.scan() == max(matrix.frame)
    assert list(matrix.frame) == [int(cell * 65535) >> 8 for cell in cells]
    chip.dead_rows = [3]
    chip.dead_cols = [15]
    matrix.scan()
    assert max(matrix.frame[48:64]) == 0
    assert max(matrix.frame) == int(14 / 16 * 65535) >> 8
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
    switch = board("drivers.switch").Switch(2)
    changes = []
    for at in range(400):
        time.us = at * 10000
        if at % 50 == 0:
            button.press(at % 100 == 0)
        if switch.update(not button.value()):
            changes.append(switch.state)
    assert changes == [True, False] * 4


class Field:
    """A reader's field that is shown UIDs."""

    def __init__(self):
        self.field = board("tag_debounce").TagField(2, 4)

    def update(self, uids):
        found = [bytearray(bytes((len(uid),)) + uid + b"~" * (10 - len(uid))) for uid in uids]
        return self.field.update(found, len(found))


def test_tag_field_wants_a_second_look():
    field = Field()
    assert not field.update([b"ghost"])
    assert not field.update([])
    assert not field.update([b"a"])
    assert field.update([b"a"])
    assert not any(field.update(found) for found in ([], [], [], [b"a"], [], [], []))
    assert field.update([])
    assert field.field.uids == []


def test_a_tag_said_twice_in_one_scan_has_been_seen_once():
    field = Field()
    assert not field.update([b"a", b"a"])
    assert field.update([b"a"])
    assert field.field.uids == [b"a"]


def test_a_field_full_of_tags():
    field = Field()
    many = [bytes((at, 1, 2, 3, 4, 5, 6, 224)) for at in range(20)]
    field.update(many)
    field.update(many)
    assert len(field.field.uids) == 16
    for _ in range(4):
        field.update(many[:2])
    assert set(field.field.uids) == set(many[:2])
    field.update(many[18:])
    field.update(many[18:])
    assert set(field.field.uids) == {*many[:2], *many[18:]}


@given(st.lists(st.sets(st.sampled_from("abcd")), max_size=40))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_tag_field_is_two_counters_a_tag(scans):
    field = Field()
    rests = {}
    misses = {}
    streak = {}
    for scan in scans:
        for uid in "abcd":
            streak[uid] = streak.get(uid, 0) + 1 if uid in scan else 0
            misses[uid] = 0 if uid in scan else misses.get(uid, 0) + 1
            rests[uid] = streak[uid] >= 2 or (rests.get(uid, False) and misses[uid] < 4)
        before = set(field.field.uids)
        changed = field.update([uid.encode() for uid in sorted(scan)])
        assert set(field.field.uids) == {uid.encode() for uid in "abcd" if rests[uid]}
        assert changed == (before != set(field.field.uids))


def test_noise_is_the_sum_of_eight_bytes_about_zero():
    written_out, by_calls = Chance(3), Chance(3)
    drawn = [written_out.normal() for _ in range(4000)]
    eight = (by_calls.u32().to_bytes(4, "big") + by_calls.u32().to_bytes(4, "big") for _ in range(4000))
    assert drawn == [(sum(one) - 1020) / 209.0 for one in eight]
    assert written_out.u32() == by_calls.u32()
    assert sum(drawn) / len(drawn) == pytest.approx(0, abs=0.05)
    assert sum(one * one for one in drawn) / len(drawn) == pytest.approx(1, abs=0.06)
