"""The Pico's main program and hardware layer, run on modules that obey the real ones' rules."""

import copy
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from firmware.wire import codec, payloads
from tests.support.fake_machine import REASON_TIMER, RP2040, RP2350
from tests.support.pico import PicoBoard

rig: Any = importlib.import_module("firmware.board.default_rig")
rigcheck: Any = importlib.import_module("firmware.flashing.rig_check")


@pytest.fixture(autouse=True)
def _flash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "firmware").mkdir(parents=True)
    (tmp_path / "firmware" / "hash").write_text("0000beef")


def app_that(step: Callable[[Any], Any]) -> type:
    """An app whose step is `step(app)`; it feeds the watchdog as the real one does."""

    class Scripted:
        made: ClassVar[list[Any]] = []

        def __init__(self, hal: Any, wiring: Any, complaints: list[str]) -> None:
            self.hal, self.rig, self.complaints, self.exit, self.steps = hal, wiring, complaints, False, 0
            Scripted.made.append(self)

        def step(self) -> int:
            self.steps += 1
            self.hal.feed()
            step(self)
            return 2000

    return Scripted


def leave(app: Any) -> None:
    app.exit = True


def crash(app: Any) -> None:
    raise RuntimeError("no such card")


@pytest.mark.parametrize("kind", [RP2040, RP2350])
def test_exit_resets_and_leaves_no_watchdog_at_the_prompt(kind: str) -> None:
    board = PicoBoard(kind, app_that(leave))
    assert board.start() == ["reset 2", "prompt"]
    assert board.chip.watchdog_us is None
    assert "ended by the host" in board.text()
    # The mark counts once: after the next reset the program runs again.
    assert board.start(1)[-1] == "reset 2"


def test_watchdog_is_armed_only_after_the_app_was_built() -> None:
    armed: list[object] = []

    class Slow:
        def __init__(self, hal: Any, wiring: Any, complaints: list[str]) -> None:
            armed.append(board.chip.watchdog_us)
            board.world.sleep_us(60_000_000)
            self.exit = True

    board = PicoBoard(app=Slow)
    assert board.start() == ["reset 2", "prompt"]
    assert armed == [None]


def test_a_hung_loop_resets_the_board_and_the_next_start_says_so() -> None:
    def hang(app: Any) -> None:
        if len(app.made) > 1:
            app.exit = True
        while not app.exit:
            board.world.sleep_us(1000)
            board.chip.tick()

    board = PicoBoard(app=app_that(hang))
    assert board.start() == [f"reset {REASON_TIMER}", "reset 2", "prompt"]
    first, second = board._app.made
    assert first.complaints == []
    assert second.complaints == ["the program hung and was restarted"]
    assert second.hal.reset_cause() == 3


def test_three_crashes_in_a_row_end_at_the_prompt_with_the_reason() -> None:
    board = PicoBoard(app=app_that(crash))
    assert board.start() == ["reset 2"] * 3 + ["prompt"]
    assert board.text().count("RuntimeError: no such card") == 3
    assert "failed 3 times in a row" in board.text()
    assert "no such card" in Path("firmware/crash.txt").read_text()
    assert board._app.made[1].complaints == [
        "the program crashed and was restarted: RuntimeError: no such card"
    ]
    # Power that comes again gives it three more chances.
    board.chip.power_on()
    assert board.start()[-4:] == ["reset 2"] * 3 + ["prompt"]


def test_a_minute_of_good_running_forgives_crashes() -> None:
    def sometimes(app: Any) -> None:
        app.hal.sleep_us(1_000_000)
        if app.steps > 70:
            crash(app)

    board = PicoBoard(app=app_that(sometimes))
    assert board.start(6) == ["reset 2"] * 6


def test_ctrl_c_in_the_window_leads_to_the_prompt() -> None:
    board = PicoBoard(app=app_that(crash))
    board.world.at(0.7, lambda: board.world.type(b"\r\x03"))
    assert board.start() == ["prompt"]
    assert board.world.seconds < 1.6
    assert board.chip.watchdog_us is None


def test_a_host_that_sends_frames_does_not_stop_the_start() -> None:
    board = PicoBoard(app=app_that(leave))
    for number in range(60):
        # Every frame holds a byte 3 somewhere; a third of them comes in two pieces.
        frame = codec.encode(codec.IDENT, payloads.pack_ident(0x03030303 + number, 3, "companion"))
        half = len(frame) // 2 if number % 3 == 0 else len(frame)
        board.world.at(number * 0.025, lambda part=frame[:half]: board.world.type(part))
        board.world.at(number * 0.025 + 0.01, lambda part=frame[half:]: board.world.type(part))
    assert board.start() == ["reset 2", "prompt"]
    assert "Ctrl-C" not in board.text()


def test_the_real_app_says_hello_with_the_hash_and_goes_on_exit() -> None:
    board = PicoBoard()
    decoder = codec.Decoder()
    heard: list[Any] = []

    def host() -> None:
        frames = decoder.feed(bytes(board.world.sent))
        heard.extend(payloads.unpack_hello(frame[4]) for frame in frames if frame[0] == codec.HELLO)
        board.world.sent.clear()

    board.world.at(2.5, lambda: board.world.type(codec.encode(codec.IDENT, payloads.pack_ident(77, 0, "test"))))
    board.world.at(3.0, host)
    board.world.at(3.1, lambda: board.world.type(codec.encode(codec.EXIT)))
    assert board.start(4) == ["reset 2", "prompt"]
    answer = heard[-1]
    assert (answer[3], answer[5], answer[6]) == (0xBEEF, 77, 1)
    assert [name for name, _, _ in answer[10]] == ["bed 1", "bed 2", "bed 3", "bed 4", "bed 5", "pad"]


def test_serial_is_read_without_waiting_and_into_the_callers_buffer() -> None:
    board = PicoBoard()
    hal = board.hal(rig.DEFAULT_RIG)
    buffer = bytearray(8)
    assert hal.read_serial(buffer) == 0
    board.world.incoming += bytes(range(20, 30))
    assert hal.read_serial(buffer) == 8
    assert bytes(buffer) == bytes(range(20, 28))
    assert hal.read_serial(buffer) == 2
    assert buffer[:2] == bytes((28, 29))


def test_writes_never_wait_and_never_cut_a_chunk() -> None:
    board = PicoBoard()
    hal = board.hal(rig.DEFAULT_RIG)
    data = bytes(range(64))
    board.world.free = 32
    began = board.world.now
    assert hal.write_serial(data) == 32
    assert hal.write_serial(data[32:]) == 0
    assert board.world.now - began < 1000
    board.world.free = 256
    assert hal.write_serial(data[32:]) == 32
    assert bytes(board.world.sent) == data


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda hal: hal.pin_in(30), "GP30"),
        (lambda hal: hal.pin_out(-1), "GP-1"),
        (lambda hal: hal.pin_out(None), "GPNone"),
        (lambda hal: hal.adc(3), "GP3"),
        (lambda hal: hal.pwm(99), "GP99"),
        (lambda hal: hal.strip(31, 5), "GP31"),
        (lambda hal: hal.selector((1, 2, 40, 3)), "GP40"),
        (lambda hal: hal.spi_device(77), "GP77"),
    ],
)
def test_invalid_pins_are_named(call: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call(PicoBoard().hal(rig.DEFAULT_RIG))


def test_buses_refuse_pins_that_do_not_reach_them() -> None:
    wrong = copy.deepcopy(rig.DEFAULT_RIG)
    wrong["spi"]["sck"] = 17
    wrong["i2c"]["sda"] = 6
    hal = PicoBoard().hal(wrong)
    with pytest.raises(ValueError, match="SCK"):
        hal.spi_device(20)
    with pytest.raises(ValueError, match="bad S"):
        hal.i2c()


@pytest.mark.parametrize("clocks", [1, 8, 9])
def test_a_chip_that_holds_the_bus_after_a_reset_is_clocked_free(clocks: int) -> None:
    board = PicoBoard()
    hal = board.hal(rig.DEFAULT_RIG)
    board.chip.held[4] = (5, clocks)
    hal.i2c()
    assert board.chip.held == {}
    assert (board.chip.levels[4], board.chip.levels[5]) == (1, 1)


def test_a_bus_that_is_free_is_not_clocked() -> None:
    board = PicoBoard()
    hal = board.hal(rig.DEFAULT_RIG)
    hal.i2c()
    assert board.chip.outputs.isdisjoint((4, 5))


def test_readers_are_deselected_before_any_is_used() -> None:
    two = copy.deepcopy(rig.DEFAULT_RIG)
    two["stations"].append({"name": "entry", "reader": {"cs": 20}})
    board = PicoBoard()
    board.hal(two)
    assert (board.chip.levels[17], board.chip.levels[20]) == (1, 1)


def test_selector_strip_and_tone() -> None:
    board = PicoBoard()
    hal = board.hal(rig.DEFAULT_RIG)
    rows = hal.selector((0, 1, 2, 3))
    for channel in (5, 15, 0, 10):
        rows.select(channel)
        assert sum(board.chip.levels[at] << at for at in range(4)) == channel
    hal.strip(22, 5).write(bytes(15))
    beeper = hal.pwm(21)
    for hertz in (1, 2000, 65535, 0):
        beeper.tone(hertz)
    assert board.chip.tones == [20, 2000, 20000, 0]


def test_a_missing_or_damaged_hash_file_is_no_hash() -> None:
    Path("firmware/hash").write_text("not hex")
    assert PicoBoard().hal(rig.DEFAULT_RIG).code_hash() == 0
    Path("firmware/hash").unlink()
    assert PicoBoard().hal(rig.DEFAULT_RIG).code_hash() == 0


def test_the_rig_file_is_used_and_a_broken_one_is_not() -> None:
    assert rig.load() == (rig.DEFAULT_RIG, [])
    own = {
        "stations": [{"name": "slot", "touch": 1}],
        "touch": {"addr": 90},
        "i2c": {"id": 0, "sda": 4, "scl": 5},
    }
    Path("rig.json").write_text(json.dumps(own))
    assert rig.load() == (own, [])
    for broken in (
        "{",
        "[]",
        '{"stations": []}',
        "[" * 5000,
        "\xff",
    ):
        Path("rig.json").write_bytes(broken.encode("latin-1"))
        used, complaints = rig.load()
        assert used is rig.DEFAULT_RIG
        assert len(complaints) == 1
        assert complaints[0].startswith("rig.json")
        assert "recommended rig" in complaints[0]
    board = PicoBoard(app=app_that(leave))
    board.start()
    assert "rig.json" in board._app.made[0].complaints[0]


def _with(change: Callable[[Any], Any]) -> Any:
    changed = json.loads(json.dumps(rig.DEFAULT_RIG))
    change(changed)
    return changed


def test_the_recommended_rig_passes_its_check() -> None:
    assert rigcheck.check(rig.DEFAULT_RIG) == []
    assert rigcheck.check(_with(lambda _: None)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: r.update(speed=3), "speed is not known here"),
        (lambda r: r["stations"][0].update(laser=3), "bed 1: laser is not known here"),
        (lambda r: r["stations"][2]["count"].update(dout=99), "bed 3: count: dout: 99 is not a pin"),
        (lambda r: r["stations"][2]["count"].update(dout="6"), "bed 3: count: dout: 6 is not a pin"),
        (lambda r: r["stations"][2]["count"].pop("dout"), "bed 3: count: dout is missing"),
        (
            lambda r: r["stations"][1]["count"].update(dout=6),
            "bed 2: count: dout: GP6 is already used by bed 1",
        ),
        *(
            (lambda r, n=n: r["beeper"].update(pin=n), f"beeper: pin: GP{n} is not on the header")
            for n in (23, 24, 25, 29)
        ),
        (lambda r: r["matrix"].update(adc=29), "matrix: adc: GP29 is not on the header"),
        (lambda r: r["matrix"].update(adc=5), "matrix: adc: 5 is not a pin that measures"),
        (lambda r: r["matrix"].update(rows=[0, 1]), "matrix: rows must be four pins"),
        (lambda r: r["matrix"].update(rows=[0, 0, 1, 2]), "matrix: rows: GP0 is already used by matrix: rows"),
        (lambda r: r["stations"][1].update(touch=12), "bed 2: touch: 12 is not an electrode"),
        (
            lambda r: r["stations"][1].update(touch=0),
            "bed 2: touch: electrode 0 is already used by bed 1: touch",
        ),
        (lambda r: r["stations"][1].update(touch=True), "bed 2: touch: True is not an electrode"),
        (lambda r: r["stations"][1].update(name="bed 1"), "bed 1: two stations have this name"),
        (lambda r: r["stations"][1].update(name="a bed of 16 long"), "at most 15 bytes"),
        (lambda r: r["stations"][1].pop("name"), "station 2 has no name"),
        (lambda r: r.update(stations=[{"name": str(n)} for n in range(17)]), "17 stations, at most 16"),
        (lambda r: r.update(stations=[{"name": f"fifteen bytes {n}"} for n in range(10)]), "too long together"),
        (lambda r: r["stations"][5]["reader"].update(chip="rc632"), "pad: reader: chip: no driver for rc632"),
        (
            lambda r: r["stations"][5]["reader"].update(chip="pn5180"),
            "pad: reader: a pn5180 needs its pin busy",
        ),
        (lambda r: r["spi"].update(sck=20), "spi: GP20 cannot be sck of bus 0"),
        (lambda r: r["i2c"].update(id=1), "i2c: GP4 cannot be sda of bus 1"),
        (lambda r: r.pop("spi"), "pad: reader needs the section spi"),
        (lambda r: r.pop("matrix"), "pad: texture needs the section matrix"),
        (lambda r: r.pop("scales"), "bed 4: count needs the section scales"),
        (lambda r: r["stations"][0].update(button={}), "bed 1: button needs either"),
        (lambda r: r["stations"][0].update(texture={}), "both use the common matrix"),
        (lambda r: r["stations"][0].update(count=[]), "bed 1: count must be an object"),
    ],
)
def test_each_fault_of_a_rig_is_named(change: Callable[[Any], Any], said: str) -> None:
    faults = rigcheck.check(_with(change))
    assert any(said in fault for fault in faults), faults


def test_all_faults_are_told_at_once() -> None:
    def break_two(r: Any) -> None:
        r["stations"][0]["count"]["dout"] = 99
        r["stations"][5]["reader"]["cs"] = 98

    assert len(rigcheck.check(_with(break_two))) == 2
