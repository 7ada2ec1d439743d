"""The host's serial line, its look at a prompt, and its commands, each by itself."""

import dataclasses
import errno
import itertools

import pytest

from companion.core.clock import ManualClock
from firmware.host.board_commands import BoardCommands
from firmware.host.link import LOG_BURST, Link, LinkStats
from firmware.host.messages import BoardLog, ButtonEvent, TextureFrame
from firmware.host.pings import Pings
from firmware.host.repl_prompt import PromptWatch
from firmware.host.serial_line import Line
from firmware.host.station_ledger import StationLedger, stations_of
from firmware.reasons import LeftOutOfLog
from firmware.wire import codec
from tests.firmware.test_link import Script
from tests.support.board_hello import packed_hello

HELLO = codec.encode(
    codec.HELLO,
    packed_hello(),
)
"""The answer of a board to the host whose session is 77."""


@pytest.mark.parametrize(("says", "replay", "leaves"), [(HELLO, False, 1), (b"", False, 0), (HELLO, True, 0)])
def test_a_board_that_is_there_is_told_to_leave_its_program(says, replay, leaves):
    port, clock = Script(says), ManualClock()
    link = Link("x", clock, opener=lambda _: port, session=77, replay=replay)
    link.poll()
    link.leave()
    link.poll()
    kinds = [kind for kind, *_ in codec.Decoder().feed(bytes(port.heard))]
    assert kinds.count(codec.EXIT) == leaves


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (errno.EIO, [0.2, 0.4, 0.8, 1.6, 3.0, 3.0, 3.0]),
        # Somebody waits at the table for a board to be plugged in again.
        (errno.ENOENT, [0.2] * 50),
    ],
)
def test_a_port_that_does_not_open_is_tried_with_growing_pauses(error, wanted):
    tried = []

    def opener(_):
        tried.append(now)
        raise OSError(error, "broken")

    line = Line("x", opener)
    for tick in range(150):
        now = tick / 10
        line.open(now)
    pauses = [round(later - before, 1) for before, later in itertools.pairwise(tried)]
    assert pauses[: len(wanted)] == pytest.approx(wanted, abs=0.11)


def test_a_port_that_takes_no_bytes_is_lost_and_none_count_as_sent():
    class Deaf(Script):
        def write(self, data):
            raise OSError(errno.EIO, "gone")

    line = Line("x", lambda _: Deaf())
    assert (line.received, line.sent, line.queued) == (0, 0, 0)
    assert line.open(1.0)
    line.put(b"abc")
    assert line.flush(1.0) == 0
    assert not line.is_open
    assert line.sent == 0
    assert line.problem.where == "x"


def test_bytes_that_a_port_does_not_take_yet_are_queued():
    class Narrow(Script):
        def write(self, data):
            self.heard += data[:2]
            return 2

    line = Line("x", lambda _: Narrow())
    assert line.open(1.0)
    line.put(b"abcde")
    assert (line.queued, line.flush(1.0), line.sent, line.queued) == (5, 2, 2, 5)


def test_a_port_is_closed_for_good():
    class Closing(Script):
        is_closed = False

        def close(self):
            self.is_closed = True

    port = Closing()
    line = Line("x", lambda _: port)
    line.close()
    assert not line.open(1e9)
    line = Line("x", lambda _: port)
    assert line.open(1.0)
    line.close()
    assert port.is_closed
    assert not line.is_open
    assert not line.open(1e9)


def test_a_silent_board_is_asked_twice_a_second():
    port, clock = Script(), ManualClock()
    link = Link("x", clock, opener=lambda _: port)
    for _ in range(16):
        link.poll()
        clock.sleep(0.125)
    kinds = [kind for kind, *_ in codec.Decoder().feed(bytes(port.heard))]
    assert kinds == [codec.IDENT] * 4


def test_half_of_a_boards_ring_is_left_free():
    pings = Pings()
    assert [pings.room(queued) for queued in (0, 255, 256)] == [True, True, False]


def test_a_link_counts_from_nothing_what_it_sends_and_hears():
    port = Script(HELLO)
    link = Link("x", ManualClock(), opener=lambda _: port, session=77)
    assert (link.stats, link.received) == (LinkStats(), 0)
    assert not any(dataclasses.astuple(LinkStats())[:-1])
    link.poll()
    assert link.stats.bytes_out == len(port.heard) > 0
    assert link.stats.bytes_in == len(HELLO)


def test_lines_left_out_of_a_boards_log_are_counted_and_told_once():
    clock = ManualClock()
    lines = codec.encode(codec.LOG, b"\0" + codec.pack_text("again", 20)) * (LOG_BURST + 36)
    alive = codec.encode(codec.CREDIT, bytes(4))
    link = Link("x", clock, opener=lambda _: Script(HELLO, lines, *[alive] * 100), session=77)
    told = []
    for _ in range(100):
        told += [one.text for one in link.poll() if isinstance(one, BoardLog)]
        clock.sleep(0.5)
    assert told == ["again"] * LOG_BURST + [LeftOutOfLog(36)]


def test_each_gap_that_a_board_tells_of_counts_once():
    state = codec.pack_snapshot(station=0, t_us=0, uids=None, weight=None, touched=None, pressed=True)
    flags = codec.FLAG_SEQ | codec.FLAG_GAP
    frames = [codec.encode(codec.SNAPSHOT, state, flags, seq) for seq in (0, 1)]
    link = Link("x", ManualClock(), opener=lambda _: Script(HELLO, *frames), session=77)
    told = [one for _ in range(3) for one in link.poll()]
    assert link.stats.gaps == 2
    assert [one.level for one in told if isinstance(one, BoardLog) and "events were lost" in one.text] == [1, 1]
    assert [one.pressed for one in told if isinstance(one, ButtonEvent)] == [True]


def test_at_most_four_commands_are_on_the_way():
    commands = BoardCommands()
    commands.up = True
    for _ in range(6):
        assert commands.snapshot() >= 0
    assert len(commands.out.due(0)) == 4


def test_halves_of_two_pictures_are_no_picture():
    ledger = StationLedger()
    ledger.meet(stations_of([("pad", codec.CAP_TEXTURE, 0)]))

    def half(frame, part):
        return ledger.sample(1.0, codec.SAMPLE_TEXTURE, 0, bytes((frame, part, 2)) + bytes((frame,)) * 128)

    assert half(1, 0) == half(2, 1) == []
    assert half(3, 0) == []
    assert half(3, 1) == [TextureFrame(1.0, "pad", b"\3" * 256)]


def test_a_prompt_is_named_when_the_line_has_been_quiet_for_a_moment():
    clock = ManualClock()
    decoder = codec.Decoder()
    decoder.feed(b"\r\n>>> ")
    watch = PromptWatch(decoder, clock)
    begun = clock.now()
    clock.sleep(0.25)
    assert watch.look(begun) is None
    clock.sleep(0.1)
    assert watch.look(begun) == ""


@pytest.mark.parametrize(
    ("ends", "says"),
    [
        (b"  File x, line 1\r\nValueError: no\r\n>>> ", "ValueError: no"),
        (b"\r\n   \r\nMemoryError: \r\nMicroPython v1.24\r\n>>> ", "MemoryError: "),
        (b"\r\n>>> ", "no message"),
    ],
)
def test_of_a_traceback_the_error_is_told(ends, says):
    clock = ManualClock()
    decoder = codec.Decoder()
    decoder.feed(b"Traceback (most recent call last):\r\n" + ends)
    begun = clock.now()
    clock.sleep(1)
    assert PromptWatch(decoder, clock).look(begun) == says
