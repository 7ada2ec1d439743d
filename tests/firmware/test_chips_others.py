"""Load cells, touch, matrix, lamps and switches: drivers and debouncing against the models."""

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.simulator.chips.button_strip_beeper import ButtonModel, StripModel
from firmware.simulator.chips.hx711_model import Hx711Model
from firmware.simulator.chips.matrix_model import MatrixModel
from firmware.simulator.chips.matrix_network import MatrixCircuit
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.simulator.chips.mpr121_model import Mpr121Model


def board(module):
    return importlib.import_module(f"firmware.board.{module}")


class Scales:
    """Load cells on one clock line, and the time they share."""

    def __init__(self, count=3, look_us=2):
        self.time = ModelTime()
        self.look_us = look_us
        chance = Chance(1)
        self.cells = [Hx711Model(self.time, chance, 420, 13000 * at) for at in range(count)]
        for cell in self.cells:
            cell.noise_counts = 0.0
        self.pulse_us = []
        self.group = board("drivers.hx711").Hx711Group(20, range(count), self)
        self.group.start()

    def pin_out(self, number):
        assert number == 20
        return self

    def pin_in(self, number):
        return Dout(self.cells[number], self.time, self.look_us)

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
    def __init__(self, cell, time, look_us):
        self.cell = cell
        self.time = time
        self.look_us = look_us

    def value(self):
        self.time.us += self.look_us
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
    scales.cells[0].wire = "high"
    scales.time.us += 100000
    assert scales.read() == [0x7FFFFF]


def test_sixteen_cells_are_read_at_the_pace_of_plain_python():
    """A look at a pin takes 15 us there: with SCK high meanwhile, five of them put the chips to sleep."""
    scales = Scales(16, look_us=15)
    for _ in range(5):
        assert scales.read() == [81234] * 16
        scales.time.us += 80000
    assert max(scales.pulse_us) < 50


def test_five_lines_read_while_the_clock_is_high_put_the_cells_to_sleep():
    scales = Scales(5, look_us=15)
    scales.read()

    class Hasty:
        """The order of pulses that reads all lines before SCK falls."""

        def value(self, level):
            if not level:
                for line in scales.group.douts:
                    line.value()
            scales.value(level)

    scales.group.sck = Hasty()
    scales.time.us += 80000
    before = scales.time.us
    assert scales.read() != [81234] * 5
    scales.read()
    assert scales.time.us - before >= 400000


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
        self.time = ModelTime()
        self.chip = Mpr121Model(self.time, Chance(3))
        self.chip.sigma = 0.0
        self.driver = board("drivers.mpr121").Mpr121(self, 0x5A, 6, [6, 7])
        self.addr = 0x5A

    def poll(self):
        self.time.us += 20000
        self.driver.poll()

    def readfrom_mem_into(self, addr, register, data):
        self.chip.read(register, data)

    def writeto_mem(self, addr, register, data):
        self.chip.write(register, data)


def test_touch_holds_as_long_as_the_finger():
    touch = Touch()
    assert touch.driver.start()
    touch.chip.sigma = 3.0
    for _ in range(50):
        touch.poll()
        assert not any(touch.driver.touched)
    touch.chip.touched[2] = True
    for _ in range(5000):
        touch.poll()
        assert touch.driver.touched == [False, False, True, False, False, False]
    touch.chip.touched[2] = False
    touch.poll()
    touch.poll()
    assert not any(touch.driver.touched)


def test_a_board_started_under_a_hand_learns_when_it_goes():
    touch = Touch()
    touch.driver.start()
    touch.chip.touched[0] = True
    touch.poll()
    touch.chip.touched[0] = False
    for _ in range(6):
        touch.poll()
    touch.chip.touched[0] = True
    touch.poll()
    assert touch.driver.touched[0]


def test_a_touch_chip_that_lost_its_power_says_so():
    touch = Touch()
    touch.driver.start()
    touch.poll()
    touch.chip.brown_out()
    with pytest.raises(OSError, match="settings"):
        touch.poll()
    assert not any(touch.driver.touched)
    assert touch.driver.start()
    touch.poll()
    assert not any(touch.driver.touched)


def test_an_electrode_on_ground_does_not_hide_the_others():
    touch = Touch()
    touch.driver.start()
    touch.chip.electrodes[1].wire = "ground"
    touch.driver.start()
    for _ in range(5):
        touch.poll()
    touch.chip.touched[4] = True
    touch.poll()
    assert touch.driver.touched == [False, False, False, False, True, False]
    assert [touch.driver.fault(at) for at in (0, 1, 4)] == ["", "on ground", "touched, or stuck"]
    assert touch.driver.numbers().startswith("pF 20,-,20")


def test_the_touch_chips_numbers():
    touch = Touch()
    touch.driver.start()
    touch.chip.sigma = 4.0
    for _ in range(500):
        touch.poll()
    text = touch.driver.numbers()
    assert len(text) <= 120
    noise = [int(number) for number in text.split("noise ")[1].split(",")]
    assert all(2 <= number <= 5 for number in noise)


def test_touch_follows_slow_drift():
    touch = Touch()
    touch.driver.start()
    for at in range(4000):
        for foil in touch.chip.electrodes:
            foil.drift_pf = at / 200
        touch.poll()
        assert not any(touch.driver.touched)
    touch.chip.touched[0] = True
    touch.poll()
    assert touch.driver.touched[0]


def test_switches_on_the_touch_chip():
    touch = Touch()
    touch.driver.start()
    touch.chip.closed[7] = True
    touch.poll()
    assert (touch.driver.switch(6), touch.driver.switch(7)) == (False, True)


def test_a_dead_touch_chip_raises():
    touch = Touch()
    touch.chip.dead = True
    with pytest.raises(OSError, match="19"):
        touch.driver.start()


@pytest.mark.parametrize("pf", [5.0, 10.0, 20.0, 30.0, 40.0])
def test_a_finger_of_1_8_pf_is_felt_on_every_size_of_foil(pf):
    touch = Touch()
    for foil in touch.chip.electrodes:
        foil.pf = pf
    touch.driver.start()
    touch.chip.sigma = 1.0
    for _ in range(50):
        touch.poll()
        assert not any(touch.driver.touched)
    touch.chip.touched[3] = True
    touch.poll()
    assert touch.driver.touched == [False, False, False, True, False, False]
    touch.chip.touched[3] = False
    touch.poll()
    assert [touch.driver.fault(at) for at in range(6)] == [""] * 6
    assert touch.driver.numbers().startswith("pF " + ",".join([f"{pf:.0f}"] * 6))


@pytest.mark.parametrize(
    ("pf", "wire", "said"),
    [(60.0, "", "too large to feel a finger (60 pF)"), (20.0, "open", "open"), (20.0, "ground", "on ground")],
)
def test_the_self_test_names_an_electrode_that_cannot_feel(pf, wire, said):
    touch = Touch()
    touch.chip.electrodes[2].pf, touch.chip.electrodes[2].wire = pf, wire
    touch.driver.start()
    for _ in range(10):
        touch.poll()
    assert [touch.driver.fault(at) for at in range(6)] == ["", "", said, "", "", ""]


@pytest.mark.parametrize(("share", "felt"), [(12, True), (31, False)])
def test_a_large_foil_feels_a_finger_with_the_threshold_that_was_measured_for_it(share, felt):
    touch = Touch()
    touch.chip.electrodes[2].pf = 80.0
    touch.driver.start()
    touch.driver.set_share(2, share)
    for _ in range(10):
        touch.poll()
    touch.chip.touched[2] = touch.chip.touched[3] = True
    touch.poll()
    assert touch.driver.touched == [False, False, felt, True, False, False]
    counts, base, press, _, size = touch.driver.level(2)
    assert (size, press) == (pytest.approx(800, abs=2), pytest.approx(base * share / 1000, abs=1))
    assert base - counts == pytest.approx(base * 1.8 / 81.8, abs=1)


def test_the_power_on_charge_and_a_threshold_of_30_counts_feel_no_finger():
    """A rig without autoconfiguration: the readings that a finger changes by ten counts of 124."""
    touch = Touch()
    touch.chip.write(0x5D, b"\x20")
    touch.chip.write(0x5E, b"\x06")
    readings = []
    for finger in (False, True):
        touch.chip.touched[0] = finger
        touch.time.us += 20000
        data = bytearray(2)
        touch.chip.read(4, data)
        readings.append(data[0] | data[1] << 8)
    assert readings[0] == 124
    assert readings[0] - readings[1] < 30


def test_matrix_scans_row_by_row():
    time = ModelTime()
    chip = MatrixModel(time, Chance(1), MatrixCircuit().changed(adc_noise_lsb=0.0))
    cells = [(at % 16) / 16 for at in range(256)]
    chip.press(cells)

    class Lines:
        def __init__(self, select):
            self._select = select

        def select(self, channel):
            time.us += 4
            self._select(channel)
            time.us += 4

    class Hal:
        def adc(self, number):
            return chip

        def selector(self, pins):
            return Lines(chip.select_row if pins[0] == 0 else chip.select_col)

    matrix = board("drivers.matrix").Matrix(26, (0, 1, 2, 3), (4, 5, 6, 7), Hal())
    assert matrix.scan() == max(matrix.frame)
    rows = [list(matrix.frame[at : at + 16]) for at in range(0, 256, 16)]
    assert rows[0] == sorted(rows[0])
    assert rows[0][0] <= 1
    assert rows[0][15] > 40
    assert all(row == rows[0] for row in rows)
    chip.dead_rows = [3]
    chip.dead_cols = [15]
    matrix.scan()
    assert max(matrix.frame[48:64]) == 0
    assert max(matrix.frame) == matrix.frame[14] > matrix.frame[15] == 0
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
@settings(max_examples=80)
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
