"""The link against a virtual board: every fact once, whatever happens to the line."""

import errno
import stat
import struct
import termios
import time

import pytest

from companion.core.clock import Gate, ManualClock, RealClock
from companion.core.errors import BadInputError, SourceError
from companion.sensing.board_words import in_words, parts_of, words_of
from firmware.errors import UnusableError
from firmware.host.link import LOG_BURST, LOG_LINES_PER_S, Link, open_link
from firmware.host.messages import (
    BoardLog,
    ButtonEvent,
    CommandResult,
    Connected,
    Disconnected,
    LevelSample,
    Part,
    PartState,
    Station,
    TagEvent,
    TextureFrame,
    TouchEvent,
    WeightEvent,
)
from firmware.host.pings import PINGS_OPEN, Pings
from firmware.host.port_recording import CaptureWriter, read_capture
from firmware.host.ports import SerialPort
from firmware.host.station_ledger import StationLedger
from firmware.reasons import At, CaptureUnreadable, CaptureUnwritable, Simple
from firmware.simulator import lockstep
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from firmware.wire import codec, payloads
from tests.support.board_hello import packed_hello

UID = bytes.fromhex("04a1b2c3d4e580")
OTHER = bytes.fromhex("04a1b2ffd4e581")


READER, SCALE = Part("pad", ("reader",)), Part("bed 4", ("count",))


class Table:
    """A board and its host on one clock."""

    def __init__(self, kind="pty", seed=1, capture=None):
        self.clock = ManualClock()
        end = MemoryEnd() if kind == "memory" else None
        self.board = VirtualBoard(clock=self.clock, seed=seed, end=end)
        opener = {"opener": end.open} if end is not None else {}
        self.link = Link(self.board.path, self.clock, capture=capture, session=77, **opener)
        self.seen = []

    def run(self, seconds, rate=30):
        fresh = []
        for _ in range(round(seconds * rate)):
            self.clock.sleep(1 / rate)
            fresh += lockstep.step(self.board, self.link, self.clock.now())
        self.seen += fresh
        return fresh

    def close(self):
        self.link.close()
        self.board.close()


@pytest.fixture(params=["pty", pytest.param("memory", marks=pytest.mark.long)])
def table(request):
    made = Table(request.param)
    made.run(2)
    yield made
    made.close()


def of(kind, messages):
    return [message for message in messages if isinstance(message, kind)]


def test_the_threshold_of_an_electrode_is_kept_over_a_restart():
    made = Table("memory")
    made.run(2)
    made.link.configure(codec.CONF_TOUCH_SHARE, "bed 2", 20)
    for _ in range(2):
        made.link.levels(2)
        levels = {one.station: one for one in of(LevelSample, made.run(2)) if one.part == "touch"}
        for station, share in (("bed 1", 0.031), ("bed 2", 0.020)):
            assert levels[station].threshold == pytest.approx(levels[station].baseline * share, abs=1.1)
        made.board.reset()
        made.run(3)
    made.link.configure(codec.CONF_TOUCH_SHARE, "bed 2", 0)
    assert any("thousandths" in words_of(one.text) for one in of(BoardLog, made.run(1)))
    made.close()


def test_connects_and_names_the_rig(table):
    (hello,) = of(Connected, table.seen)
    assert hello.new_boot
    assert hello.protocol == "1.2"
    assert [station.name for station in hello.stations] == [*(f"bed {n}" for n in range(1, 6)), "pad"]
    assert hello.stations[0].capabilities == {"count", "touch", "button", "lamp"}
    assert hello.stations[5].capabilities == {"reader", "texture", "touch"}
    assert not any(station.missing for station in hello.stations)
    assert [weight.grams for weight in of(WeightEvent, table.seen)] == [0.0] * 5


def test_every_fact_arrives_once(table):
    begun = table.clock.now()
    table.board.place_tag("pad", UID)
    table.board.set_weight("bed 2", 5.2)
    table.board.touch("bed 3", True)
    table.board.press_button("bed 4", True)
    heard = table.run(2)
    assert [(m.station, m.uid) for m in of(TagEvent, heard)] == [("pad", UID)]
    assert [(m.station, m.grams) for m in of(WeightEvent, heard)] == [("bed 2", pytest.approx(5.2, abs=0.11))]
    assert [(m.station, m.pressed) for m in of(TouchEvent, heard)] == [("bed 3", True)]
    assert [(m.station, m.pressed) for m in of(ButtonEvent, heard)] == [("bed 4", True)]
    assert all(begun - 0.04 <= message.t <= begun + 1.0 for message in heard)
    table.board.lift_tag("pad", UID)
    table.board.touch("bed 3", False)
    table.board.press_button("bed 4", False)
    heard = table.run(2)
    assert [m.uid for m in of(TagEvent, heard)] == [None]
    assert [m.pressed for m in of(TouchEvent, heard)] == [False]
    assert [m.pressed for m in of(ButtonEvent, heard)] == [False]


def test_two_tags_are_told_apart(table):
    table.board.place_tag("pad", UID)
    table.board.place_tag("pad", OTHER)
    assert {m.uid for m in of(TagEvent, table.run(1))} == {UID, OTHER}
    table.board.lift_tag("pad", UID)
    assert [m.uid for m in of(TagEvent, table.run(1))] == [OTHER]


def test_texture_frames(table):
    pattern = [[(row + col) % 2 for col in range(16)] for row in range(16)]
    table.board.press_texture("pad", pattern)
    frames = of(TextureFrame, table.run(1))
    assert len(frames) >= 10
    cells = [cell for row in pattern for cell in row]
    pressed = [value for value, cell in zip(frames[-1].pixels, cells, strict=True) if cell]
    others = [value for value, cell in zip(frames[-1].pixels, cells, strict=True) if not cell]
    assert min(pressed) > 60 > 12 > max(others)
    table.board.press_texture("pad", None)
    assert max(of(TextureFrame, table.run(1))[-1].pixels) <= 3
    assert not of(TextureFrame, table.run(1))


def test_a_creeping_matrix_is_not_a_pressed_one(table):
    for _ in range(12):
        table.board.chips.matrices["pad"].creep += 0.01
        assert not of(TextureFrame, table.run(1))
    table.board.press_texture("pad", [[(row > 7) * 0.5 for _ in range(16)] for row in range(16)])
    assert of(TextureFrame, table.run(1))
    table.board.press_texture("pad", None)
    table.run(1)
    assert not of(TextureFrame, table.run(1))


def test_commands(table):
    table.link.lamp("bed 3", (1, 2, 3))
    number = table.link.selftest()
    table.link.beep(880)
    heard = table.run(0.5)
    assert table.board.lamps["bed 3"] == (1, 2, 3)
    assert table.board.tones == [880]
    assert of(CommandResult, heard)[0].number == number
    assert of(CommandResult, heard)[0].text == "all parts answer"


@pytest.mark.parametrize("stalled_s", [0, 1])
def test_zero_takes_the_resting_load_as_nothing_also_while_it_is_on_its_way(table, stalled_s):
    table.board.stall(stalled_s)
    table.board.set_weight("bed 1", 9.0)
    table.run(1)
    table.link.zero("bed 1")
    assert of(WeightEvent, table.run(3))[-1].grams == 0.0
    table.board.set_weight("bed 1", 12.0)
    assert of(WeightEvent, table.run(1.5))[-1].grams == pytest.approx(3.0, abs=0.5)


def test_unplugged_and_plugged_in_again(table):
    table.board.place_tag("pad", UID)
    table.board.set_weight("bed 1", 10.0)
    table.link.lamp("bed 2", (9, 0, 0))
    table.run(2)
    table.board.unplug()
    heard = table.run(2)
    assert "vanished" in words_of(of(Disconnected, heard)[0].reason)
    assert not table.link.up
    table.board.set_weight("bed 1", 12.5)
    table.board.plug()
    heard = table.run(6)
    (hello,) = of(Connected, heard)
    assert hello.new_boot
    assert not of(TagEvent, heard), "the tag lay there all the time"
    # The scale kept its zero although the board started with a load on it.
    assert [(m.station, m.grams) for m in of(WeightEvent, heard)] == [("bed 1", pytest.approx(12.5, abs=0.11))]
    assert table.board.lamps["bed 2"] == (9, 0, 0)


def test_the_line_alone_comes_back_without_a_new_boot(table):
    table.board.unplug()
    table.run(1)
    table.board.plug(reset=False)
    table.board.press_button("bed 5", True)
    heard = table.run(4)
    assert [hello.new_boot for hello in of(Connected, heard)] == [False]
    assert [m.pressed for m in of(ButtonEvent, heard)] == [True]


def test_reset_resyncs(table):
    table.board.place_tag("pad", UID)
    table.run(1)
    table.board.reset()
    table.board.lift_tag("pad", UID)
    heard = table.run(5)
    assert [hello.reset_cause for hello in of(Connected, heard)] == [3]
    assert [m.uid for m in of(TagEvent, heard)] == [None]


def test_bit_flips_cost_time_but_no_event(table):
    table.board.flip_bits(1e-3)
    for _ in range(15):
        table.board.press_button("bed 1", True)
        table.run(0.7)
        table.board.press_button("bed 1", False)
        table.run(0.7)
    table.board.flip_bits(0.0)
    table.run(3)
    assert [m.pressed for m in of(ButtonEvent, table.seen)] == [True, False] * 15
    assert table.link.stats.bad_frames > 0


def test_a_stall_loses_nothing(table):
    for _ in range(5):
        table.board.stall(0.4)
        table.board.press_button("bed 1", True)
        table.run(0.5)
        table.board.press_button("bed 1", False)
        table.run(0.5)
    assert [m.pressed for m in of(ButtonEvent, table.seen)] == [True, False] * 5
    assert not of(Disconnected, table.seen)


def test_a_dead_line_is_noticed_and_survived(table):
    table.board.stall(8)
    heard = table.run(10)
    assert "pings" in words_of(of(Disconnected, heard)[0].reason)
    table.run(6)
    assert table.link.up


def test_a_board_that_answers_no_ping_but_sends_takes_no_room():
    pings = Pings()
    for second in range(500):
        pings.make(second)
        pings.sent(second, second)
        pings.heard()
    assert not pings.lost
    assert len(pings._sent) == PINGS_OPEN
    late, lost = (struct.pack("<QQIH", second * 1_000_000, 7, 3, 0) for second in (450, 400))
    assert not pings.answered(500, lost)
    assert pings.answered(500, late)


def test_more_events_than_the_ring_holds(table):
    # The host is away for a while: the board keeps 64 events, then falls back to its state.
    for _ in range(50):
        for pressed in (True, False):
            table.board.press_button("bed 1", pressed)
            for _ in range(3):
                table.clock.sleep(1 / 30)
                table.board.step(table.clock.now())
    table.board.touch("pad", True)
    heard = table.run(6)
    assert any("lost" in words_of(log.text) for log in of(BoardLog, heard))
    assert [(m.station, m.pressed) for m in of(TouchEvent, heard)] == [("pad", True)]
    states = [m.pressed for m in of(ButtonEvent, heard)]
    assert states[:4] == [True, False, True, False]
    assert states[-1] is False


def test_a_crash_to_the_prompt_is_named(table):
    table.board.crash("ValueError: boom")
    heard = table.run(2)
    assert any("ValueError: boom" in words_of(log.text) for log in of(BoardLog, heard))
    (down,) = of(Disconnected, heard)
    assert down.cause is Simple.CRASHED
    table.board.reset()
    assert of(Connected, table.run(5))


def test_dead_parts_are_named_and_the_rest_works(table):
    table.board.chips.readers["pad"].dead = True
    table.board.chips.cells["bed 4"].dead = True
    assert {(told.part, told.answers, told.name) for told in of(PartState, table.run(2))} == {
        (READER, False, "pad reader (MFRC522)"),
        (SCALE, False, "bed 4 scale (HX711)"),
    }
    table.board.set_weight("bed 5", 4.0)
    assert [m.station for m in of(WeightEvent, table.run(2))] == ["bed 5"]
    table.link.selftest()
    (result,) = of(CommandResult, table.run(0.5))
    assert not result.ok
    assert "pad reader" in result.text
    table.board.chips.readers["pad"].dead = False
    assert [(told.part, told.answers) for told in of(PartState, table.run(6))] == [(READER, True)]


def test_a_chip_that_stations_share_is_one_part(table):
    table.board.chips.touch.dead = True
    (told,) = of(PartState, table.run(2))
    assert (told.part, told.answers) == (Part(None, ("touch", "button")), False)
    assert told.part.serves("bed 3", "button")
    assert not told.part.serves("bed 3", "count")


def test_a_part_mended_while_the_board_was_off_is_told(table):
    table.board.chips.readers["pad"].dead = True
    assert [told.answers for told in of(PartState, table.run(2))] == [False]
    table.board.chips.readers["pad"].dead = False
    table.board.reset()
    assert [(told.part, told.answers) for told in of(PartState, table.run(6))] == [(READER, True)]


def test_parts_that_changed_while_events_were_lost_are_told(table):
    table.board.chips.readers["pad"].dead = True
    table.run(2)
    for _ in range(40):
        for pressed in (True, False):
            table.board.press_button("bed 1", pressed)
            for _ in range(3):
                table.clock.sleep(1 / 30)
                table.board.step(table.clock.now())
    table.board.chips.readers["pad"].dead = False
    table.board.chips.cells["bed 4"].dead = True
    for _ in range(200):
        table.clock.sleep(1 / 30)
        table.board.step(table.clock.now())
    heard = table.run(6)
    assert any("lost" in words_of(log.text) for log in of(BoardLog, heard))
    assert {(told.part, told.answers) for told in of(PartState, heard)} == {(READER, True), (SCALE, False)}


def test_a_part_is_told_once_and_only_if_the_rig_has_it():
    ledger = StationLedger()
    ledger.meet((Station("bed 4", frozenset({"count", "touch"})), Station("pad", frozenset({"reader"}))))

    def tell(number, bits, answers):
        return ledger.event(1.0, codec.EV_PART, number, codec.pack_part(bits, answers, "a \x1b chip"))

    assert payloads.unpack_text(codec.pack_text("b\x1b[2J", 20), 0)[0] == "b?[2J"

    assert tell(1, codec.CAP_READER, True) == []
    assert tell(1, codec.CAP_READER, False) == [PartState(1.0, READER, False, "a ? chip")]
    assert tell(1, codec.CAP_READER, False) == []
    assert tell(0, codec.CAP_COUNT, False) == [PartState(1.0, SCALE, False, "a ? chip")]
    assert tell(1, codec.CAP_READER, True) == [PartState(1.0, READER, True, "a ? chip")]
    (shared,) = tell(codec.NO_STATION, codec.CAP_COUNT | codec.CAP_TOUCH, False)
    assert shared.part == Part(None, ("count", "touch"))
    for number, bits in (
        (1, codec.CAP_COUNT),
        (1, 0),
        (1, 64),
        (9, codec.CAP_READER),
        (codec.NO_STATION, codec.CAP_LAMP),
    ):
        with pytest.raises(ValueError, match=r"part|station"):
            tell(number, bits, False)


def test_a_capture_of_version_1_0_is_still_read(tmp_path):
    clock, path = ManualClock(), tmp_path / "old.cap"
    hello = packed_hello(stations=[("pad", codec.CAP_READER, codec.CAP_READER)])
    said = codec.pack_text("pad reader (MFRC522) does not answer", 180)
    tagged = codec.pack_event(codec.EV_TAG, 0, 5, codec.pack_tags([UID]))
    writer = CaptureWriter(path)
    writer.record(0.0, codec.encode(codec.HELLO, b"\1\0" + hello[2:]))
    writer.record(0.1, codec.encode(codec.LOG, b"\2" + said))
    writer.record(0.2, codec.encode(codec.EVENT, tagged, codec.FLAG_SEQ, 0))
    writer.close()
    link, heard = open_link(str(path), clock), []
    while not link.finished:
        clock.sleep(0.05)
        heard += link.poll()
    (met,) = of(Connected, heard)
    assert (met.protocol, met.stations[0].missing) == ("1.0", {"reader"})
    assert [log.text for log in of(BoardLog, heard)] == ["pad reader (MFRC522) does not answer"]
    assert [tag.uid for tag in of(TagEvent, heard)] == [UID]
    assert of(PartState, heard) == []


def test_the_same_seed_gives_the_same_run():
    def play(kind):
        made = Table(kind, seed=5)
        for cell in made.board.chips.cells.values():
            cell.sigma = 0.4
        made.board.flip_bits(2e-4)
        made.run(1)
        made.board.place_tag("pad", UID)
        made.board.set_weight("bed 1", 3)
        made.run(3)
        made.close()
        return [message for message in made.seen if not isinstance(message, Disconnected)]

    first = play("memory")
    assert play("memory") == first
    assert play("pty") == first


def test_in_threads_with_the_real_clock():
    clock = RealClock()
    board = VirtualBoard(clock=clock)
    link = Link(board.path, clock)
    board.run_in_thread()
    heard = []

    def wait_for(kind):
        for _ in range(1000):
            heard.extend(link.poll())
            if of(kind, heard):
                return
            time.sleep(0.01)
        pytest.fail(f"no {kind.__name__} came")

    try:
        wait_for(Connected)
        board.place_tag("pad", UID)
        wait_for(TagEvent)
    finally:
        link.close()
        board.close()


class Script:
    """A port that says what it is told to say."""

    def __init__(self, *parts):
        self.parts = list(parts)
        self.heard = bytearray()

    def read(self):
        return self.parts.pop(0) if self.parts else b""

    def write(self, data):
        self.heard += data
        return len(data)

    def close(self):
        pass


@pytest.mark.parametrize(("major", "help_"), [(9, "update companion"), (0, "companion flash")])
def test_another_protocol_is_refused(major, help_):
    clock = ManualClock()
    hello = codec.encode(codec.HELLO, struct.pack("<BB", major, 1) + bytes(40))
    link = Link("x", clock, opener=lambda _: Script(hello))
    (down,) = of(Disconnected, link.poll())
    what, next_step = parts_of(down.cause)
    assert f"protocol {major}.1" in what
    assert help_ in next_step


def test_a_silent_port_is_given_up_and_tried_again():
    clock = ManualClock()
    opened = []
    link = Link("x", clock, opener=lambda _: opened.append(clock.now()) or Script())
    heard = []
    for _ in range(400):
        clock.sleep(0.05)
        heard += link.poll()
    assert [down.reason for down in of(Disconnected, heard)] == [At("x", Simple.PORT_SILENT)]
    assert len(opened) >= 3


def test_frames_that_make_no_sense_are_reported_and_survived():
    clock = ManualClock()
    bad = [
        codec.encode(kind, b"\x01", codec.FLAG_SEQ if kind == codec.EVENT else 0)
        for kind in range(256)
        if kind != codec.HELLO
    ]
    good = codec.encode(codec.EVENT, codec.pack_event(codec.EV_BUTTON, 0, 0, b"\x01"), codec.FLAG_SEQ, 1)
    port = Script(codec.encode(codec.HELLO, packed_hello()), b"".join(bad) + good)
    link = Link("x", clock, opener=lambda _: port, session=77)
    heard = []
    for _ in range(3):
        heard += link.poll()
    assert of(BoardLog, heard)
    assert [m.pressed for m in of(ButtonEvent, heard)] == [True]


def test_a_capture_plays_back(tmp_path):
    path = tmp_path / "evening.cap"
    writer = CaptureWriter(path)
    made = Table("memory", capture=writer)
    made.run(1)
    made.board.place_tag("pad", UID)
    made.run(1)
    made.board.lift_tag("pad", UID)
    made.run(1)
    made.close()
    writer.close()
    clock = ManualClock(500.0)
    link = open_link(str(path), clock)
    heard = []
    for _ in range(120):
        clock.sleep(1 / 30)
        heard += link.poll()
    assert len(of(Connected, heard)) == 1
    tags = of(TagEvent, heard)
    assert [m.uid for m in tags] == [UID, None]
    assert tags[1].t - tags[0].t == pytest.approx(1.0, abs=0.25)
    assert 500 < tags[0].t < 503
    assert "over" in words_of(of(Disconnected, heard)[-1].reason)
    assert link.finished


def test_a_capture_waits_for_the_gate(tmp_path):
    path = tmp_path / "evening.cap"
    writer = CaptureWriter(path)
    writer.record(7.0, b"ab")
    writer.record(8.0, b"cd")
    writer.close()
    clock = ManualClock(500.0)
    gate = Gate(clock)
    link = open_link(str(path), clock, gate=gate)
    assert link.recorded
    clock.sleep(60)
    link.poll()
    assert (link.received, link.finished) == (0, False)
    gate.open()
    link.poll()
    assert (link.received, link.finished) == (2, False)
    clock.sleep(1)
    link.poll()
    assert (link.received, link.finished) == (4, True)


def test_a_damaged_or_foreign_capture_is_one_clear_line(tmp_path):
    path = tmp_path / "a.cap"
    writer = CaptureWriter(path)
    writer.record(1.0, b"abc")
    writer.record(2.0, b"defg")
    writer.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-2])
    with pytest.raises(BadInputError, match="cut off in record 2"), in_words():
        open_link(str(path), ManualClock())
    assert read_capture(path, allow_cut=True) == [(1.0, b"abc")]
    path.write_bytes(whole.replace(struct.pack("<d", 2.0), struct.pack("<d", float("nan"))))
    with pytest.raises(BadInputError, match="record 2 is damaged"), in_words():
        open_link(str(path), ManualClock())
    path.write_bytes(b"companion-capture 9\n")
    with pytest.raises(BadInputError, match="version"), in_words():
        open_link(str(path), ManualClock())
    path.write_bytes(b"GIF89a")
    with pytest.raises(BadInputError, match="not a capture"), in_words():
        open_link(str(path), ManualClock())
    with pytest.raises(BadInputError, match="exists already"), in_words():
        CaptureWriter(path)


def test_a_capture_is_its_owners_alone(tmp_path):
    path = tmp_path / "a.cap"
    CaptureWriter(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(UnusableError) as caught:
        CaptureWriter(tmp_path / "none" / "a.cap")
    assert caught.value.reason == CaptureUnwritable("No such file or directory")
    with pytest.raises(UnusableError) as caught:
        read_capture(tmp_path / "none.cap")
    assert caught.value.reason == CaptureUnreadable("No such file or directory")


def test_a_board_that_is_unplugged_while_its_port_is_opened_is_tried_again(tmp_path, monkeypatch):
    def vanished(*_args, **_settings):
        raise termios.error(errno.EIO, "Input/output error")

    monkeypatch.setattr("serial.Serial", vanished)
    link = Link(str(tmp_path / "ttyACM0"), ManualClock(), opener=SerialPort)
    (told,) = link.poll()
    assert isinstance(told, Disconnected)
    assert told.cause is Simple.PORT_VANISHED


def test_open_link_names_what_it_cannot_use(tmp_path):
    with pytest.raises(SourceError, match="no such port"), in_words():
        open_link(str(tmp_path / "ttyACM0"), ManualClock())
    with pytest.raises(SourceError, match="folder"), in_words():
        open_link(str(tmp_path), ManualClock())


def test_a_board_that_talks_without_end_is_heard_now_and_then():
    table = Table("memory")
    table.run(2)
    begun, heard = table.clock.now(), []
    for number in range(400):
        for part in range(5):
            table.board.machine.app.log(1, f"line {number}, {part}")
        heard += table.run(0.1)
    spent = table.clock.now() - begun
    lines = of(BoardLog, heard)
    assert LOG_BURST <= len(lines) <= LOG_BURST + LOG_LINES_PER_S * spent + 1
    table.board.machine.app.log(1, "the last word")
    calm = of(BoardLog, table.run(LOG_BURST / LOG_LINES_PER_S))
    assert any("left out of the board's log" in words_of(line.text) for line in calm)
    table.board.touch("bed 3", True)
    assert [message.pressed for message in of(TouchEvent, table.run(1))] == [True]
    table.close()
