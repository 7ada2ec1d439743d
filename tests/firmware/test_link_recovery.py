"""The link finds its way back: numbers astray, noise that looks like a crash, a board under another name."""

import itertools
import os
import random
import tty

import pytest

from companion.core.clock import ManualClock
from firmware.host import ports
from firmware.host.board_commands import BoardCommands
from firmware.host.clock_offset import ClockOffset
from firmware.host.link import Link
from firmware.host.messages import (
    BoardLog,
    ButtonEvent,
    CommandResult,
    Connected,
    Disconnected,
    Station,
)
from firmware.reasons import OtherDevice, SeveralBoards, Simple
from firmware.simulator.virtual_board import VirtualBoard
from firmware.wire import codec
from tests.firmware.line_torture import RIG, RoughEnd


class Table:
    def __init__(self):
        self.clock = ManualClock()
        self.end = RoughEnd()
        self.board = VirtualBoard(RIG, self.clock, 1, end=self.end)
        self.link = Link("memory", self.clock, opener=self.end.open, session=9)
        self.heard = []

    def run(self, seconds):
        heard = []
        for _ in range(round(seconds / 0.02)):
            self.clock.sleep(0.02)
            self.board.step(self.clock.now())
            self.end.move()
            heard += self.link.poll()
        return heard


@pytest.fixture
def table():
    made = Table()
    made.run(1)
    assert made.link.up
    return made


def of(kind, messages):
    return [message for message in messages if isinstance(message, kind)]


def test_numbers_that_do_not_fit_are_read_anew(table):
    table.link._in.expected = (table.link._in.expected + 100) & 255
    table.board.press_button("bed 1", True)
    heard = table.run(6)
    assert [message.pressed for message in of(ButtonEvent, heard)] == [True]
    assert table.link.up
    assert table.link.stats.gaps == 1
    assert of(Disconnected, heard)[0].cause is Simple.NUMBERING_LOST
    table.board.press_button("bed 1", False)
    assert [message.pressed for message in of(ButtonEvent, table.run(1))] == [False]


def test_noise_that_looks_like_a_crash_is_asked_about(table):
    table.end.to_host = lambda data: [data + b"\r\nTraceback (most recent call last):\r\n>>> "]
    table.run(1.1)
    table.end.to_host = None
    heard = table.run(4)
    assert table.link.up
    table.board.press_button("bed 2", True)
    heard += table.run(1)
    assert [message.pressed for message in of(ButtonEvent, heard)] == [True]


def test_a_real_crash_is_told_and_not_typed_into_for_ever(table):
    table.board.crash('  File "app.py", line 1\r\nOSError: [Errno 5] EIO')
    heard = table.run(2)
    assert "OSError: [Errno 5] EIO" in of(BoardLog, heard)[0].text.said
    assert of(Disconnected, heard)[0].cause is Simple.CRASHED
    before, asked = table.link.stats.bytes_out, []
    for step in range(80):
        table.run(0.25)
        if table.link.stats.bytes_out != before:
            before = table.link.stats.bytes_out
            asked.append(step / 4)
    assert len(asked) == 3
    assert [later - earlier for earlier, later in itertools.pairwise(asked)] == pytest.approx([2, 2], abs=0.3)
    table.run(20)
    assert table.link.stats.bytes_out == before
    table.board.reset()
    assert of(Connected, table.run(4))


def test_self_test_of_a_station_names_each_part_with_numbers(table):
    number = table.link.selftest("bed 1")
    (result,) = of(CommandResult, table.run(1))
    assert (result.number, result.ok) == (number, True)
    assert result.text.startswith("bed 1 button") or "button" in result.text
    assert table.link.selftest("nowhere") == -1
    table.link.selftest()
    assert of(CommandResult, table.run(1))[0].text == "all parts answer"


def test_a_result_is_never_taken_for_that_of_a_command_256_before():
    """A board that restarts takes its answers with it, and the numbers of commands come again."""
    board = BoardCommands()
    board.up = True
    board.ledger.meet((Station("bed 1", frozenset({"count"})),))

    def later(number):
        while (beep := board.beep()) != number:
            board.out.acked(beep)
        board.out.acked(beep)
        return board._result(1.0, bytes((number, codec.OP_BEEP, 0)) + b"\4why?")

    unanswered = [board.zero("bed 1"), board.selftest("bed 1")]
    board.configure(codec.CONF_STEP, None, 3)
    unanswered.append(board.out.queue[-1][3])
    board.out.acked(unanswered[-1])
    board.ledger.zeros["bed 1"] = 5000
    for number in unanswered:
        assert later(number) == [CommandResult(1.0, number, False, "why?")]
    assert board.ledger.zeros == {"bed 1": 5000}


def test_drift_is_found_among_slow_answers():
    chance = random.Random(2)
    offset = ClockOffset()
    drift, start = 80e-6, 1000.0
    for second in range(240):
        device = float(second)
        there, back = (chance.choice([0.0003, 0.01, 0.02]) for _ in range(2))
        true = start + device * (1 + drift)
        offset.round_trip(true - there, round(device * 1e6), true + back)
    assert offset.drift == pytest.approx(drift, rel=0.3)
    assert offset.host_time(240_000_000, 1e9) == pytest.approx(start + 240 * (1 + drift), abs=0.003)
    offset.reset()
    assert offset.drift == 0


def test_the_clock_of_a_board_that_has_run_for_an_hour_is_read_to_the_millisecond():
    offset = ClockOffset()
    offset.one_way(3_600_000_000, 5000.0)
    assert offset.host_time(3_601_000_000, 1e9) == pytest.approx(5001.0, abs=1e-4)
    offset.round_trip(5002.0, 3_602_005_000, 5002.01)
    assert offset.host_time(3_603_005_000, 1e9) == pytest.approx(5003.005, abs=1e-4)
    assert offset.host_time(3_603_005_000, 5003.0) == 5003.0, "nothing happens after it is heard"


@pytest.mark.parametrize("ticking", [1, 0])
def test_a_jittery_line_makes_no_wild_drift_nor_a_clock_that_stands_still(ticking):
    chance = random.Random(5)
    offset = ClockOffset()
    for second in range(40):
        late = chance.random() * ticking
        offset.round_trip(second - late, second * 1_000_000 * ticking, second + late)
    assert abs(offset.drift) <= 5e-4


def test_a_board_that_comes_back_under_another_name_is_found(monkeypatch, tmp_path):
    masters, names = [], []
    for _ in range(2):
        master, slave = os.openpty()
        tty.setraw(slave)
        masters.append(master)
        names.append(os.ttyname(slave))
    present = {"E661": names[0]}
    monkeypatch.setattr(
        ports, "list_ports", lambda: [ports.PortInfo(path, "", number, "") for number, path in present.items()]
    )
    opener = ports.FollowedPort()
    name = tmp_path / "ttyACM0"
    name.symlink_to(names[0])
    opener(str(name)).close()
    name.unlink()
    present["E661"] = names[1]
    port = opener(str(name))
    os.write(masters[1], b"hello")
    assert port.read() == b"hello"
    port.close()
    present.clear()
    with pytest.raises(OSError, match="No such file"):
        opener(str(name))
    for master in masters:
        os.close(master)


GAME, PROBE = "E660000000000001", "E660000000000002"
ACM0, ACM1 = "/dev/ttyACM0", "/dev/ttyACM1"


@pytest.fixture
def plugged(monkeypatch):
    """Serial number -> device of each Pico; every opened device goes into "opened"."""
    boards, opened = {}, []
    monkeypatch.setattr(
        ports, "list_ports", lambda: [ports.PortInfo(name, "", number, "") for number, name in boards.items()]
    )
    monkeypatch.setattr(ports, "SerialPort", opened.append)
    monkeypatch.setattr(ports.Path, "exists", lambda path: str(path) in (ACM0, ACM1))
    return boards, opened


def test_two_boards_that_come_back_under_each_others_name_are_not_confused(plugged):
    boards, opened = plugged
    follow = ports.FollowedPort()
    boards.update({GAME: ACM0, PROBE: ACM1})
    follow(ACM0)
    boards.update({GAME: ACM1, PROBE: ACM0})
    follow(ACM0)
    boards.update({GAME: ACM0, PROBE: ACM1})
    follow(ACM0)
    assert opened == [ACM0, ACM1, ACM0]


@pytest.mark.parametrize("stranger", [{PROBE: ACM0}, {}], ids=["a Pico", "another maker's"])
def test_a_stranger_under_the_boards_name_is_not_opened(plugged, stranger):
    boards, opened = plugged
    follow = ports.FollowedPort()
    boards[GAME] = ACM0
    follow(ACM0)
    boards.clear()
    boards.update(stranger)
    with pytest.raises(ports.NoBoardError) as caught:
        follow(ACM0)
    assert isinstance(caught.value.reason, OtherDevice)
    boards[GAME] = ACM1
    follow(ACM0)
    assert opened == [ACM0, ACM1]


def test_a_board_that_tells_no_serial_number_is_opened_by_name(plugged):
    boards, opened = plugged
    follow = ports.FollowedPort()
    boards[GAME] = ACM0
    follow(ACM0)
    boards.clear()
    boards[""] = ACM0
    follow(ACM0)
    assert opened == [ACM0, ACM0]


@pytest.mark.parametrize(
    ("name", "device"), [(ACM0, ACM1), ("/dev/pts/7", "/dev/pts/7")], ids=["numbered", "of a virtual board"]
)
def test_the_board_that_was_set_up_wins_over_a_numbered_name_from_the_start(plugged, name, device):
    boards, opened = plugged
    boards.update({GAME: ACM1, PROBE: ACM0})
    ports.FollowedPort(expected=GAME.lower())(name)
    assert opened == [device]


def test_without_the_board_that_was_set_up_the_name_counts(plugged):
    boards, opened = plugged
    boards[PROBE] = ACM0
    ports.FollowedPort(expected=GAME)(ACM0)
    assert opened == [ACM0]


def test_of_several_boards_the_one_that_was_set_up_is_taken(plugged):
    boards, opened = plugged
    boards.update({GAME: ACM1, PROBE: ACM0})
    with pytest.raises(ports.NoBoardError) as caught:
        ports.AnyBoard()("auto")
    assert isinstance(caught.value.reason, SeveralBoards)
    ports.AnyBoard(GAME)("auto")
    assert opened == [ACM1]


def test_the_leading_zero_saves_the_frame_behind_a_prompt():
    decoder = codec.Decoder()
    assert decoder.feed(b">>> " + codec.encode(codec.LOG, b"\0\2ok")) == [(codec.LOG, 0, 0, 0, b"\0\2ok")]
    assert decoder.rejected == bytearray()
