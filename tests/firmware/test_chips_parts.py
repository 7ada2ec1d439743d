"""The parts of a rig over chip models: what is wired wrong, what fails and comes back, what it costs."""

import copy
import importlib
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from firmware.board.default_rig import COUNTS_PER_GRAM
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.simulator.chips.virtual_hal import Chips, VirtualHal
from firmware.wire import codec

ROOT = Path(__file__).parents[2]
RIG = importlib.import_module("firmware.board.default_rig").DEFAULT_RIG
App = importlib.import_module("firmware.board.app").App
PAD = 5
UIDS = [bytes.fromhex("04a1b2c3d4e580"), bytes.fromhex("04a1b2c3d4e681")]


class QuietLine:
    """A serial line without a host."""

    def read_into(self, buffer):
        return 0

    def send(self, data):
        return len(data)


class Table:
    """A board at a table: the app over models. A host is only pretended: what is logged is kept."""

    def __init__(self, rig=RIG, seed=1, wired=None):
        self.time = ModelTime()
        chance = Chance(seed)
        self.chips = Chips(wired or rig, self.time, chance)
        self.hal = VirtualHal(wired or rig, self.time, chance, self.chips, QuietLine(), 1)
        self.app = App(self.hal, rig)
        self.said = []
        self.told = []
        self.app.uplink.log = lambda level, text: self.said.append((level, text))
        self.app.uplink.part = lambda *told: self.told.append(told[:4])

    def run(self, seconds):
        until = self.time.us + int(seconds * 1e6)
        while self.time.us < until:
            self.app.step()
            self.time.us += max(self.app.idle_us, 1)
        return self

    def part(self, name):
        return next(part for part in self.app.parts if name in part.name)


def wrong(change):
    """The app on the recommended board, its rig file changed by `change`."""
    rig = copy.deepcopy(RIG)
    change(rig)
    return Table(rig, wired=RIG).run(2)


def bed(rig, number):
    return rig["stations"][number - 1]


def set_in(holder, key, value):
    holder[key] = value


FAULTS = {
    "a pin that is none": (
        lambda rig: set_in(bed(rig, 3)["count"], "dout", 99),
        "bed 3 scale: pin 99 is no pin",
        (2, codec.CAP_COUNT),
    ),
    "a pin used twice": (
        lambda rig: set_in(bed(rig, 3)["count"], "dout", 7),
        "bed 3 scale: pin 7 is already used by bed 2 scale",
        (2, codec.CAP_COUNT),
    ),
    "a pin that is a word": (
        lambda rig: set_in(rig["stations"][PAD]["reader"], "cs", "GP17"),
        "pad reader: pin 'GP17' is no pin",
        (PAD, codec.CAP_READER),
    ),
    "a pin that is left out": (
        lambda rig: set_in(rig["stations"][PAD], "reader", {}),
        "pad reader: no cs in the rig",
        (PAD, codec.CAP_READER),
    ),
    "a chip nobody knows": (
        lambda rig: set_in(rig["stations"][PAD], "reader", {"cs": 17, "chip": "rc522b"}),
        "pad reader: no driver for rc522b",
        (PAD, codec.CAP_READER),
    ),
    "a section that is missing": (
        lambda rig: rig.pop("matrix"),
        "pad pressure matrix: no matrix in the rig",
        (PAD, codec.CAP_TEXTURE),
    ),
    "a matrix on a pin that cannot measure": (
        lambda rig: set_in(rig["matrix"], "adc", 20),
        "pad pressure matrix: pin 20 has no converter",
        (PAD, codec.CAP_TEXTURE),
    ),
    "a multiplexer with three pins": (
        lambda rig: set_in(rig["matrix"], "rows", (0, 1, 2)),
        "pad pressure matrix: a multiplexer has 4 select pins",
        (PAD, codec.CAP_TEXTURE),
    ),
    "the beeper's pin": (
        lambda rig: set_in(bed(rig, 1)["count"], "dout", 21),
        "bed 1 scale: pin 21 is already used by beeper",
        (0, codec.CAP_COUNT),
    ),
    "an electrode that is none": (
        lambda rig: set_in(bed(rig, 2), "touch", 12),
        "bed 2 touch: 12 is no electrode, there are 0 to 11",
        (1, codec.CAP_TOUCH),
    ),
    "an electrode used twice": (
        lambda rig: set_in(bed(rig, 2), "touch", 0),
        "bed 2 touch: electrode 0 is already used by bed 1 touch",
        (1, codec.CAP_TOUCH),
    ),
    "a switch among the electrodes": (
        lambda rig: (bed(rig, 2).pop("touch"), set_in(bed(rig, 2), "button", {"touch_chip": 1})),
        "bed 2 button: electrode 1 cannot be a switch beside the ones that feel",
        (1, codec.CAP_BUTTON),
    ),
    "a button without a place": (
        lambda rig: set_in(bed(rig, 4), "button", {}),
        "bed 4 button: no pin in the rig",
        (3, codec.CAP_BUTTON),
    ),
    "a lamp that is none": (
        lambda rig: set_in(bed(rig, 5), "lamp", -1),
        "bed 5 lamp: -1 is no lamp, there are 0 to 63",
        (4, codec.CAP_LAMP),
    ),
    "scales that weigh nothing": (
        lambda rig: set_in(bed(rig, 5)["count"], "counts_per_gram", 0),
        "bed 5 scale: 0 counts per gram cannot be",
        (4, codec.CAP_COUNT),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_fault_in_the_rig_is_named_and_the_rest_works(fault):
    change, complaint, (station, cap) = FAULTS[fault]
    table = wrong(change)
    assert table.app.complaints == [complaint]
    dead = [0] * 6
    dead[station] = cap
    assert table.app.dead == dead
    assert table.app.caps[station] & cap
    for at in range(5):
        alive = table.app.caps[at] & ~table.app.dead[at]
        assert (table.app.weights[at] is not None) == bool(alive & codec.CAP_COUNT)
        assert (table.app.touched[at] is not None) == bool(alive & codec.CAP_TOUCH)
        assert (table.app.pressed[at] is not None) == bool(alive & codec.CAP_BUTTON)


def test_common_parts_that_are_missing_cost_only_what_hangs_on_them():
    table = wrong(lambda rig: (rig.pop("scales"), rig.pop("touch"), rig.pop("lamps")))
    assert table.app.complaints == [
        "scales: no scales in the rig",
        "touch: no touch in the rig",
        "lamps: no lamps in the rig",
    ]
    every_bed = codec.CAP_COUNT | codec.CAP_TOUCH | codec.CAP_BUTTON | codec.CAP_LAMP
    assert table.app.dead == [every_bed] * 5 + [codec.CAP_TOUCH]
    assert table.app.tags[PAD] == []
    assert table.app.scales is None
    assert table.app.lamps is None


def test_a_rig_of_nonsense_still_starts():
    stations = [
        {"name": str(at), "reader": 5, "texture": "x", "count": None, "touch": [], "button": 1, "lamp": {}}
        for at in range(3)
    ]
    app = wrong(lambda rig: set_in(rig, "stations", stations)).app
    assert app.dead == app.caps == [63] * 3
    assert all(complaint.split(" ")[0] in "012" or "scales" in complaint for complaint in app.complaints)


def placed(table, *uids):
    for uid in uids:
        table.chips.readers["pad"].place(uid)


def test_a_reader_that_hangs_is_set_up_again_and_loses_no_tag():
    for after in range(1, 60, 4):
        table = Table()
        placed(table, UIDS[0])
        table.run(1)
        assert table.app.tags[PAD] == [UIDS[0]]
        table.chips.readers["pad"].hang_after = after
        for _ in range(100):
            table.run(0.01)
            assert table.app.tags[PAD] == [UIDS[0]]
        assert not table.chips.readers["pad"].hung
        assert table.app.dead[PAD] == 0


def test_a_reader_that_hangs_on_is_missing_until_it_works():
    table = Table().run(1)
    chip = table.chips.readers["pad"]
    for _ in range(3):
        chip.hang_after = 1
        chip.hung = False
        honest, chip._command = chip._command, lambda command: None
        table.run(1)
        chip._command = honest
    assert table.app.dead[PAD] & codec.CAP_READER
    assert table.app.field_owner is None
    placed(table, UIDS[1])
    table.run(6)
    assert table.app.dead[PAD] == 0
    assert table.app.tags[PAD] == [UIDS[1]]


def test_every_part_that_dies_is_named_and_comes_back():
    table = Table().run(2)
    table.chips.readers["pad"].dead = True
    table.chips.cells["bed 2"].dead = True
    table.chips.touch.dead = True
    table.run(8)
    assert table.app.dead == [24, 28, 24, 24, 24, 9]
    both = codec.CAP_TOUCH | codec.CAP_BUTTON
    dead = [
        (PAD, codec.CAP_READER, False, "pad reader (MFRC522)"),
        (1, codec.CAP_COUNT, False, "bed 2 scale (HX711)"),
        (codec.NO_STATION, both, False, "touch (MPR121)"),
    ]
    assert sorted(told for told in table.told if not told[2]) == sorted(dead)
    table.told.clear()
    table.chips.readers["pad"].dead = False
    table.chips.cells["bed 2"].dead = False
    table.chips.touch.dead = False
    table.run(8)
    assert table.app.dead == [0] * 6
    assert sorted(table.told) == sorted((*part[:2], True, part[3]) for part in dead)


def test_a_touch_chip_that_misses_an_answer_now_and_then_is_still_there():
    table = Table().run(1)
    table.chips.touch.nak = 0.05
    for at in range(40):
        table.chips.touch.touched[2] = at % 2 == 0
        table.run(0.5)
        assert table.app.touched[2] == (at % 2 == 0)
    assert not any("touch" in text for _, text in table.said)


def test_a_touch_chip_that_lost_its_power_is_set_up_again():
    table = Table().run(1)
    table.chips.touch.brown_out()
    table.run(7)
    assert table.app.touched == [False] * 6
    table.chips.touch.touched[0] = True
    table.run(0.2)
    assert table.app.touched[0]


@pytest.mark.parametrize("wire", ["high", "low", "stuck", "zero"])
def test_a_broken_bridge_is_no_weight(wire):
    table = Table().run(2)
    before = table.app.weights[0]
    table.chips.cells["bed 1"].wire = wire
    table.run(0.5)
    assert table.app.dead[0] == 0
    table.run(2)
    assert table.app.dead[0] == codec.CAP_COUNT
    assert table.app.weights[0] == before
    assert "bed 1 broken wire" in table.app.scales.selftest()[1]
    table.chips.cells["bed 1"].wire = ""
    table.run(1)
    assert table.app.dead[0] == 0


def test_readers_take_turns_with_the_field():
    rig = {
        "spi": {"sck": 18, "mosi": 19, "miso": 16},
        "stations": [{"name": f"bed {at}", "reader": {"cs": 10 + at}} for at in range(4)],
    }
    table = Table(rig)
    for at in range(4):
        table.chips.readers[f"bed {at}"].place(bytes([1, 2, 3, at]))
    for _ in range(1000):
        table.run(0.001)
        fields = [chip._registers[0x14] & 3 for chip in table.chips.readers.values()]
        assert sum(bool(field) for field in fields) <= 1
    assert table.app.tags == [[bytes([1, 2, 3, at])] for at in range(4)]


def test_a_slow_reader_lets_the_others_work():
    rig = {**RIG, "stations": [*RIG["stations"], RIG_PN5180]}
    table = Table(rig)
    uids = [bytes.fromhex(f"e00401{at:02x}a5a5a5{at:02x}") for at in range(5)]
    for uid in uids:
        table.chips.readers["shelf"].place(uid)
    placed(table, *UIDS)
    longest = 0
    until = table.time.us + 3000000
    while table.time.us < until:
        began = table.time.us
        table.app.step()
        longest = max(longest, table.time.us - began)
        table.time.us += max(table.app.idle_us, 1)
    assert sorted(table.app.tags[6]) == uids
    assert sorted(table.app.tags[PAD]) == UIDS
    assert longest < 20000


RIG_PN5180 = {"name": "shelf", "reader": {"chip": "pn5180", "cs": 20, "busy": 27, "reset": 28}}


def test_every_part_gives_its_numbers():
    table = Table()
    cells = table.chips.cells.values()
    for cell in cells:
        cell.sigma = 0.5
    table.chips.matrices["pad"].dead_rows = [4]
    placed(table, UIDS[0])
    table.run(4)
    table.chips.matrices["pad"].press([0.5] * 256)
    table.run(0.5)
    texts = {}
    for part in table.app.parts:
        ok, texts[part.name] = part.selftest()
        assert ok
        assert len(texts[part.name]) <= 120
    reader, matrix, scales, touch = texts.values()
    assert reader.startswith("version 0x92, FIFO ok, last scan 4")
    assert reader.endswith("1 tags, at rest 1")
    assert re.fullmatch(r"rest [01] noise [0-5] presses 1, not reached: rows 4 columns none", matrix)
    rate, first = scales.split("/s bed 1 ")
    assert 9 <= float(rate) <= 11
    assert 0.25 * COUNTS_PER_GRAM < int(first.split("+-")[1].split(",")[0]) < COUNTS_PER_GRAM
    assert re.fullmatch(r"pF 20(,20){5} base 7\d\d(,7\d\d){5} noise [01](,[01]){5}", touch)
    table.chips.matrices["pad"].press([0.0] * 256)
    table.chips.matrices["pad"].dead_rows = []
    table.chips.matrices["pad"].shorted_crossings = [(3, 5)]
    table.run(1)
    assert not table.part("matrix").selftest()[0]


def test_buttons_on_pins_give_their_levels():
    rig = {"stations": [{"name": f"seat {at}", "button": {"pin": 6 + at}} for at in range(2)]}
    table = Table(rig).run(0.2)
    table.chips.buttons["seat 1"].press(True)
    table.run(0.2)
    assert table.app.pressed == [False, True]
    assert table.app.parts[0].selftest() == (True, "seat 0 open, seat 1 closed")


def test_a_cycle_over_pad_and_beds():
    table = Table().run(2)
    placed(table, *UIDS)
    table.chips.matrices["pad"].press([0.5] * 256)
    turns = {}
    for part in table.app.parts:

        def timed(part=part, tick=part.tick):
            began = table.time.us
            pause = tick()
            turns.setdefault(part.name, [0])[-1] += table.time.us - began
            if pause > 5000:
                turns[part.name].append(0)
            return pause

        part.tick = timed
    table.run(1)
    # A reader takes several turns for a scan; of every part the longest round counts.
    rounds = {name: max(spent) for name, spent in turns.items()}
    assert 11000 < rounds["pad reader (MFRC522)"] < 14000
    assert sum(rounds.values()) < 25000


STEADY = """
import sys, micropython
sys.path.insert(0, "/lib")
from firmware.board.app import App
from firmware.board.default_rig import DEFAULT_RIG
from firmware.simulator.chips.virtual_hal import Chips, VirtualHal
from firmware.simulator.chips.model_time import Chance, ModelTime

class QuietLine:
    def read_into(self, buffer):
        return 0
    def send(self, data):
        return len(data)

pins = [{"name": "seat", "button": {"pin": 20}}]
rig = dict(DEFAULT_RIG)
rig["stations"] = DEFAULT_RIG["stations"] + pins
time = ModelTime()
chance = Chance(3)
chips = Chips(rig, time, chance)
hal = VirtualHal(rig, time, chance, chips, QuietLine(), 1)
app = App(hal, rig)
for uid in (b"\\x04\\xa1\\xb2\\xc3\\xd4\\xe5\\x80", b"\\x04\\xa1\\xb2\\xc3\\xd4\\xe6\\x81"):
    chips.readers["pad"].place(uid)
for cell in chips.cells.values():
    cell.sigma = 0.3
    cell.grams = 20.0
chips.readers["pad"].miss_more = 0.05
chips.touch.sigma = 3.0
chips.touch.touched[1] = True
chips.matrices["pad"].sigma = 0.01
out = []
for part in app.parts:
    assert part.start()
    def turns(count):
        for _ in range(count):
            time.us += part.tick()
    turns(400)
    # One that allocates, to show that the lock bites.
    def greedy():
        hal.guard.close()
        try:
            bytearray(64)
        except MemoryError:
            return True
        finally:
            hal.guard.open()
    hal.guard.on = True
    bites = greedy()
    hal.guard.close()
    wasteful = False
    try:
        turns(600)
    except MemoryError:
        wasteful = True
    hal.guard.open()
    hal.guard.on = False
    out.append((part.name, bites, wasteful))
import json
print("RESULT " + json.dumps(out))
"""

NODE = """
import fs from "fs"; import path from "path";
const [root, module, script] = process.argv.splice(1);
const { loadMicroPython } = await import(module);
const mp = await loadMicroPython({ heapsize: 4 * 1024 * 1024, linebuffer: false });
const copy = (from, to) => {
  mp.FS.mkdir(to);
  for (const name of fs.readdirSync(from)) {
    const source = path.join(from, name);
    if (fs.statSync(source).isDirectory()) {
      if (!name !== "__pycache__") copy(source, to + "/" + name);
    } else if (name.endsWith(".py")) mp.FS.writeFile(to + "/" + name, fs.readFileSync(source));
  }
};
mp.FS.mkdirTree("/lib");
copy(root, "/lib/firmware");
mp.runPython(script);
"""


@pytest.mark.long
def test_no_part_allocates_while_the_table_rests():
    module = ROOT / "tests/wasm/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"
    if not module.exists():
        if os.environ.get("COMPANION_REQUIRE_WASM"):
            pytest.fail("MicroPython for node is not installed (make dev installs it)")
        pytest.skip("MicroPython for node is not installed (make dev installs it)")
    command = [
        "node",
        "--input-type=module",
        "-e",
        NODE,
        str(ROOT / "firmware"),
        str(module),
        STEADY,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    assert lines, done.stdout + done.stderr
    results = json.loads(lines[0][7:])
    assert [name for name, _, _ in results] == [
        "pad reader (MFRC522)",
        "pad pressure matrix",
        "scales (HX711)",
        "touch (MPR121)",
        "buttons",
    ]
    assert all(bites for _, bites, _ in results)
    assert [name for name, _, wasteful in results if wasteful] == []


def test_a_matrix_without_its_row_resistors_says_so():
    rig = {**RIG, "matrix": {"adc": 26, "rows": (0, 1, 2, 3), "cols": (12, 13, 14, 15)}}
    for wired, said in ((rig, True), (RIG, False)):
        table = Table(wired).run(1)
        table.chips.matrices["pad"].press([0.5 * (40 < at < 200) for at in range(256)])
        table.run(1)
        table.chips.matrices["pad"].press([0.0] * 256)
        table.run(1)
        ok, text = table.part("matrix").selftest()
        assert ok != said
        assert text.startswith("rows float") == said


def test_a_cell_upside_down_is_named_and_may_be_used_with_its_sign():
    for sign, said in ((1, True), (-1, False)):
        rig = {
            "scales": {"sck": 11},
            "stations": [{"name": "bed 1", "count": {"dout": 6, "counts_per_gram": 420 * sign}}],
        }
        table = Table(rig)
        table.chips.cells["bed 1"].counts_per_gram = 420
        table.chips.cells["bed 1"].reversed = True
        table.run(4)
        table.chips.cells["bed 1"].grams = 50.0
        table.run(4)
        assert (table.app.weights[0][0] < 0) == said
        ok, text = table.app.scales.selftest()
        assert ok != said
        assert ("bed 1 reversed" in text) == said


def test_a_garbled_reading_is_no_weight():
    """Each fifth reading of a cell has a wrong bit, as one that was replaced while it was read."""
    table = Table().run(4)
    table.chips.cells["bed 1"].grams = 16.0
    table.run(3)
    before = table.app.weights[0][0]
    part, heard, honest = table.app.scales, [], table.app.scales.scales[0].update
    take, count = part._take, []

    def garbled(at, alive, raw):
        count.append(at)
        take(at, alive, raw ^ 1 << 19 if at == 0 and count.count(0) % 5 == 0 else raw)

    def kept(raw):
        heard.append(raw)
        return honest(raw)

    part._take, part.scales[0].update = garbled, kept
    table.run(5)
    assert len(heard) > 30
    assert max(heard) - min(heard) < 1000
    assert abs(table.app.weights[0][0] - before) < 5
