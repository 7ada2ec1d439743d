"""Flashing for real: mpremote talks to MicroPython's own prompt; boot drives and UF2 files; every refusal."""

import json
import os
import pty
import struct
import tty
from binascii import crc32
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands import flash as command
from companion.core.clock import ManualClock, RealClock
from companion.core.errors import BadInputError, CompanionError, SourceError
from companion.sensing.board_words import in_words, words_of
from firmware.flashing import bootsel, flash_board, port_survey
from firmware.flashing.board_install import Plan, check_board, compare, install
from firmware.flashing.manifest import HASH, MAIN, board_files, code_hash
from firmware.flashing.repl_driver import BoardAbout, Repl, reach_prompt
from firmware.host.ports import PortInfo
from firmware.reasons import Reason, Simple
from firmware.simulator.virtual_board import VirtualBoard
from firmware.wire import codec
from tests.support.flashable import FlashableBoard, need_wasm


def quiet(_: str) -> None:
    pass


@contextmanager
def prompt(board: FlashableBoard) -> Iterator[Repl]:
    reach_prompt(board.path, RealClock(), quiet)
    with Repl(board.path) as repl:
        yield repl


def complete(flash: Path) -> bool:
    """Whether a folder holds all board files and the hash of them."""
    right = all((flash / name).read_bytes() == path.read_bytes() for name, path in board_files())
    return right and int((flash / HASH).read_text(), 16) == code_hash()


def stored(flash: Path) -> None:
    """Put the whole program on a board by hand."""
    for name, path in board_files():
        (flash / name).parent.mkdir(parents=True, exist_ok=True)
        (flash / name).write_bytes(path.read_bytes())
    (flash / HASH).write_text(f"{code_hash():08x}")


def test_a_new_board_is_flashed_answers_and_is_flashed_again(tmp_path: Path) -> None:
    need_wasm()
    rig = tmp_path / "rig.json"
    rig.write_text(json.dumps({"stations": [{"name": "slot", "lamp": 0}], "lamps": {"pin": 22}}))
    with FlashableBoard(tmp_path / "flash") as board:
        first = CliRunner().invoke(command.flash, ["--port", board.path, "--rig", str(rig), "--json"])
        assert first.exception is None, first.output
        result = json.loads(first.stdout)
        assert result["done"] == "installed"
        assert result["stations"] == ["slot"]
        assert result["code"] == f"{code_hash():08x}"
        assert result["written"][-1] == MAIN
        listed = CliRunner().invoke(command.flash, ["--port", board.path, "--list", "--json"])
        (there,) = json.loads(listed.stdout)["boards"]
        assert (there["state"], there["current"]) == ("program", True)
        # The program that runs now is told to leave, and nothing differs.
        again = CliRunner().invoke(command.flash, ["--port", board.path])
        assert again.exception is None, again.output
        assert "nothing to write" in again.output
        assert "running: companion" in again.output
    assert complete(tmp_path / "flash")


def test_a_plug_pulled_halfway_is_repaired_by_running_it_again(tmp_path: Path) -> None:
    need_wasm()
    flash = tmp_path / "flash"
    stored(flash)
    (flash / "firmware" / "wire" / "codec.py").write_text("old = 1\n")
    (flash / "firmware" / "board" / "app.py").write_text("older = 1\n")
    with (
        FlashableBoard(flash, cut=15_000) as board,
        pytest.raises(SourceError) as cut,
        in_words(),
        prompt(board) as repl,
    ):
        install(repl, compare(repl, None, board.path), board.path, quiet)
    assert "\n" not in str(cut.value)
    # Cut off, the board has neither a hash nor a main program that would run on half of the rest.
    assert not (flash / HASH).exists()
    assert not (flash / MAIN).exists()
    with FlashableBoard(flash) as board, prompt(board) as repl:
        plan = compare(repl, None, board.path)
        assert MAIN in dict(plan.write)
        assert plan.kept > 0
        install(repl, plan, board.path, quiet)
        assert compare(repl, None, board.path).empty
    assert complete(flash)


def test_a_damaged_file_is_found_and_mended_strangers_of_ours_go(tmp_path: Path) -> None:
    need_wasm()
    flash = tmp_path / "flash"
    stored(flash)
    damaged = flash / "firmware" / "wire" / "acknowledged.py"
    damaged.write_bytes(damaged.read_bytes()[:-1] + b"#")  # the same length
    (flash / "firmware" / "gone" / "deeper").mkdir(parents=True)
    (flash / "firmware" / "gone" / "deeper" / "old.py").write_text("pass\n")
    (flash / "mine.txt").write_text("the owner's\n")
    (flash / "rig.json").write_text("{}")
    with FlashableBoard(flash) as board, prompt(board) as repl:
        plan = compare(repl, None, board.path)
        assert [name for name, _ in plan.write] == ["firmware/wire/acknowledged.py", MAIN]
        assert plan.remove == (HASH, MAIN, "firmware/gone/deeper/old.py")
        assert plan.folders == ("firmware/gone/deeper", "firmware/gone")
        assert "write firmware/wire/acknowledged.py" in "\n".join(map(words_of, plan.steps()))
        assert compare(repl, None, board.path) == plan  # looking changes nothing
        install(repl, plan, board.path, quiet)
        about = repl.about()
        assert (about.platform, about.micropython) == ("rp2", "1.24.1")
    assert complete(flash)
    assert not (flash / "firmware" / "gone").exists()
    assert (flash / "mine.txt").exists()
    assert (flash / "rig.json").read_text() == "{}"


@pytest.mark.quick(1)
@pytest.mark.parametrize("foreign", [False, True])
def test_the_folder_of_an_earlier_flash_goes_what_somebody_else_laid_there_stays(
    tmp_path: Path, foreign: bool
) -> None:
    need_wasm()
    flash = tmp_path / "flash"
    earlier = ("companion/firmware/hash", "companion/firmware/board/app.py", "companion/__init__.py", MAIN)
    for name in (*earlier, *["companion/mine.txt"] * foreign):
        (flash / name).parent.mkdir(parents=True, exist_ok=True)
        (flash / name).write_text("older = 1\n")
    with FlashableBoard(flash) as board, prompt(board) as repl:
        plan = compare(repl, None, board.path)
        assert plan.remove[0] == MAIN
        assert set(plan.remove) == set(earlier)
        install(repl, plan, board.path, quiet)
        assert compare(repl, None, board.path).empty
    assert complete(flash)
    assert (flash / "companion").exists() == (flash / "companion" / "mine.txt").exists() == foreign
    assert not (flash / "companion" / "firmware").exists()


def test_a_folder_of_that_name_in_another_program_is_not_ours(tmp_path: Path) -> None:
    need_wasm()
    flash = tmp_path / "flash"
    (flash / "companion").mkdir(parents=True)
    (flash / "companion" / "__init__.py").write_text("")
    (flash / MAIN).write_text("print('theirs')\n")
    with (
        FlashableBoard(flash) as board,
        prompt(board) as repl,
        pytest.raises(SourceError, match="another program"),
        in_words(),
    ):
        compare(repl, None, board.path)


def test_a_full_flash_is_said_and_leaves_no_hash(tmp_path: Path) -> None:
    need_wasm()
    with (
        FlashableBoard(tmp_path / "flash", room=20_000) as board,
        pytest.raises(SourceError, match="flash is full"),
        in_words(),
        prompt(board) as repl,
    ):
        install(repl, compare(repl, None, board.path), board.path, quiet)
    assert not (tmp_path / "flash" / HASH).exists()


def test_another_program_is_not_replaced_unasked(tmp_path: Path) -> None:
    need_wasm()
    flash = tmp_path / "flash"
    flash.mkdir()
    (flash / "main.py").write_text("print('tick')\n")
    with FlashableBoard(flash) as board:
        refused = CliRunner().invoke(command.flash, ["--port", board.path])
        assert isinstance(refused.exception, SourceError)
        assert "--force" in str(refused.exception)
        with prompt(board) as repl:
            assert MAIN in dict(compare(repl, None, board.path, force=True).write)
    assert (flash / "main.py").read_text() == "print('tick')\n"


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    need_wasm()
    with FlashableBoard(tmp_path / "flash") as board:
        result = CliRunner().invoke(command.flash, ["--port", board.path, "--dry-run"])
        assert result.exception is None, result.output
        for name, path in board_files():
            assert f"would write {name} ({path.stat().st_size} bytes)" in result.output
    assert list((tmp_path / "flash").iterdir()) == []


def test_a_dry_run_without_a_board_lists_what_a_new_one_would_get(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootsel, "find_drives", list)
    monkeypatch.setattr(bootsel, "unmounted", lambda: "")
    monkeypatch.setattr(flash_board, "list_ports", list)
    result = CliRunner().invoke(command.flash, ["--dry-run"])
    assert result.exception is None, result.output
    listed = [line for line in result.output.splitlines() if line.startswith("would write ")]
    assert listed == [f"would write {name} ({path.stat().st_size} bytes)" for name, path in board_files()]
    result = CliRunner().invoke(command.flash, ["--dry-run", "--json"])
    assert json.loads(result.stdout)["written"] == [name for name, _ in board_files()]
    assert isinstance(CliRunner().invoke(command.flash, []).exception, SourceError)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        (BoardAbout("esp32", (1, 24, 1), "Generic ESP32 module", None), "another kind"),
        (BoardAbout("rp2", (1, 20, 0), "Raspberry Pi Pico with RP2040", None), "1.20.0 is too old"),
        (BoardAbout("rp2", (1, 24, 1), "Raspberry Pi Pico2 with RP2350-RISCV", None), "for its Arm cores"),
        (BoardAbout("rp2", (1, 24, 1), "Adafruit Feather RP2040 with RP2040", None), "Adafruit Feather"),
    ],
)
def test_boards_that_will_not_do(about: BoardAbout, said: str) -> None:
    with pytest.raises(SourceError, match=said), in_words():
        check_board(about, "/dev/x")


@pytest.mark.parametrize(
    ("machine", "said"),
    [
        ("Raspberry Pi Pico with RP2040", "this board is supported"),
        ("Raspberry Pi Pico W with RP2040", "its radio is not used"),
        ("Raspberry Pi Pico2 with RP2350", "this board is supported"),
        ("Raspberry Pi Pico 2 W with RP2350", "its radio is not used"),
    ],
)
def test_boards_that_will_do_are_said_to(machine: str, said: str) -> None:
    assert said in words_of(check_board(BoardAbout("rp2", (1, 24, 0), machine, None), "/dev/x"))
    other = BoardAbout("rp2", (1, 24, 0), "Some Board with RP2040", None)
    assert check_board(other, "/dev/x", force=True) is Simple.NOT_A_PICO


class _Board:
    """What `compare` asks of a prompt."""

    def __init__(self, free: int) -> None:
        self._about = BoardAbout("rp2", (1, 24, 1), "Raspberry Pi Pico with RP2040", free)

    def files(self, *_: str) -> dict[str, Any]:
        return {}

    def about(self) -> BoardAbout:
        return self._about


def test_a_board_without_room_is_refused_before_anything_is_touched() -> None:
    roomy: Any = _Board(1 << 20)
    assert isinstance(compare(roomy, None, "/dev/x"), Plan)
    tight: Any = _Board(40_000)
    with pytest.raises(SourceError, match=r"flash is full: .* are needed"), in_words():
        compare(tight, None, "/dev/x")


def test_a_port_in_use_a_missing_and_a_silent_one() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    path = os.ttyname(slave)
    try:
        clock = ManualClock()
        silent = port_survey.look(path, clock)
        assert (silent.state, silent.detail) == ("silent", Simple.NOTHING_ANSWERS)
        hints: list[str] = []
        with pytest.raises(SourceError, match="nothing on this port comes to a prompt"), in_words():
            reach_prompt(path, clock, lambda step: hints.append(words_of(step)))
        assert len(hints) == 1
        with held_open(path):
            held = port_survey.look(path, clock)
        assert (held.state, held.detail) == ("closed", Simple.PORT_IN_USE)
    finally:
        os.close(master)
        os.close(slave)
    missing = CliRunner().invoke(command.flash, ["--port", "/dev/nothing"])
    assert isinstance(missing.exception, SourceError)


class Stepped(ManualClock):
    """A clock that moves a board while somebody sleeps."""

    def __init__(self) -> None:
        super().__init__()
        self.step: Callable[[float], None] = lambda _now: None

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.step(self.now())


@pytest.mark.parametrize("after_s", [0.0, 0.5, 1.0])
def test_a_program_that_is_just_starting_is_waited_for(after_s: float) -> None:
    """A Pico says HELLO 3.7 s after its port is there; flashing begins `after_s` after the port."""
    clock = Stepped()
    board = VirtualBoard(clock=clock, seed=1)
    board.machine.cut_power()
    started: list[float] = []

    def step(now: float) -> None:
        if not started and now >= 3.7 - after_s:
            started.append(now)
            board.machine.boot(1, 0)
        if started:
            board.step(now)

    clock.step = step
    try:
        found = port_survey.look(board.path, clock)
    finally:
        board.close()
    assert (found.state, bool(started)) == ("program", True)


def test_a_program_that_says_hello_meanwhile_is_told_to_exit() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    clock, heard = Stepped(), bytearray()
    hello = codec.encode(codec.HELLO, b"\x01\x02")

    def step(now: float) -> None:
        with suppress(BlockingIOError):
            heard.extend(os.read(master, 4096))
        if codec.encode(codec.EXIT) in heard:
            os.write(master, b"\r\n>>> ")
        elif now % 2 < 0.02:
            os.write(master, hello)

    clock.step = step
    try:
        reach_prompt(os.ttyname(slave), clock, quiet)
    finally:
        os.close(master)
        os.close(slave)
    assert clock.now() < 5


@contextmanager
def held_open(path: str) -> Iterator[None]:
    """Another program with the port open."""
    from firmware.host.ports import SerialPort

    port = SerialPort(path)
    try:
        yield
    finally:
        port.close()


def uf2(family: int = 0xE48BFF56, blocks: int = 4, *, keep: int | None = None, text: bytes = b"") -> bytes:
    """A UF2 file with as many blocks; `keep` cuts it."""
    content = text.ljust(256 * blocks, b"\xff")
    out = b""
    for number in range(blocks if keep is None else keep):
        flash = 0x10000000 + 256 * number
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, flash, 256, number, blocks, family)
        out += (
            head + content[256 * number : 256 * number + 256].ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)
        )
    return out


def test_uf2_files_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "pico.uf2"
    path.write_bytes(uf2(text=b"x" * 250 + b"MicroPython v1.24.1 on 2024-11-29"))
    assert bootsel.check_uf2(path) == bootsel.Uf2(path, "RP2040", "1.24.1")
    # A Pico 2's file begins with a block that belongs to no family.
    path.write_bytes(uf2(0xE48BFF57, 2, keep=1) + uf2(0xE48BFF59))
    assert bootsel.check_uf2(path).chip == "RP2350"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "not a UF2"),
        (b"MZ" * 600, "not a UF2"),
        (uf2()[:-1], "cut in the middle"),
        (uf2(keep=3), "cut: 3 of 4 blocks"),
        (uf2()[:-4] + b"\0\0\0\0", "block 3 is damaged"),
        (uf2(0xADA52840), "not for a Raspberry Pi Pico"),
        (uf2() + uf2(0xE48BFF59), "not for a Raspberry Pi Pico"),
    ],
    ids=["empty", "foreign", "bytes", "blocks", "magic", "family", "two families"],
)
def test_bad_uf2_files_are_refused(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "bad.uf2"
    path.write_bytes(data)
    with pytest.raises(BadInputError, match=said), in_words():
        bootsel.check_uf2(path)
    with pytest.raises(BadInputError), in_words():
        bootsel.check_uf2(tmp_path / "none.uf2")


def drive(folder: Path, board: str = "RPI-RP2") -> Path:
    """A mounted boot drive with a blank in its name; the mounts file that lists it."""
    place = folder / f"my {board}"
    place.mkdir()
    (place / "INFO_UF2.TXT").write_bytes(
        b"UF2 Bootloader v3.0\r\nModel: Raspberry Pi\r\nBoard-ID: " + board.encode()
    )
    mounts = folder / "mounts"
    escaped = str(place).replace(" ", "\\040")
    mounts.write_text(
        f"proc /proc proc rw 0 0\n/dev/sda1 {escaped} vfat rw 0 0\n/dev/sdb1 {folder}/none vfat rw 0 0\n"
    )
    return mounts


def test_micropython_is_copied_to_a_waiting_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = drive(tmp_path)
    found = bootsel.find_drives(mounts)
    assert found == [bootsel.BootDrive(tmp_path / "my RPI-RP2", "RP2040")]
    kept = tmp_path / "data" / "companion"
    kept.mkdir(parents=True)
    (kept / "other.uf2").write_bytes(uf2(0xE48BFF59))
    (kept / "broken.uf2").write_bytes(b"no")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(bootsel, "find_drives", lambda: found)
    ports: list[PortInfo] = []
    monkeypatch.setattr(flash_board, "list_ports", lambda: list(ports))
    said: list[str] = []
    clock = ManualClock()

    def tell(step: Reason | str) -> None:
        said.append(words_of(step))

    def find(uf2_path: Path | None = None, *, dry_run: bool = False) -> str | None:
        return flash_board.find_board(
            "auto", uf2_path, clock, lambda step: said.append(words_of(step)), dry_run=dry_run
        )

    with pytest.raises(BadInputError, match="no MicroPython at hand for RP2040"), in_words():
        find()
    with pytest.raises(BadInputError, match="made for RP2350"), in_words():
        find(kept / "other.uf2")
    (kept / "pico.uf2").write_bytes(uf2(text=b"MicroPython v1.24.1 "))
    assert find(dry_run=True) is None
    assert not (found[0].path / "pico.uf2").exists()
    with pytest.raises(SourceError, match="no serial port came"), in_words():
        find()
    assert (found[0].path / "pico.uf2").read_bytes() == (kept / "pico.uf2").read_bytes()
    copy = bootsel.copy_uf2

    def copied(chosen: bootsel.Uf2, target: bootsel.BootDrive) -> None:
        copy(chosen, target)
        ports.append(PortInfo("/dev/ttyACM0", "", "E66", "Board in FS mode"))

    monkeypatch.setattr(bootsel, "copy_uf2", copied)
    assert find() == "/dev/ttyACM0"


class BootLoading:
    """The prompt of a board that can go into its boot loader."""

    machine = "Raspberry Pi Pico with RP2040"
    gone = restarted = False

    def __init__(self, _path: str) -> None:
        pass

    def __enter__(self) -> "BootLoading":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def about(self) -> BoardAbout:
        return BoardAbout("rp2", (1, 23, 0), self.machine, None)

    def enter_boot_loader(self) -> None:
        BootLoading.gone = True

    def restart(self) -> None:
        BootLoading.restarted = True


def test_micropython_is_renewed_on_a_board_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drives = bootsel.find_drives(drive(tmp_path))
    newer, same, other = tmp_path / "newer.uf2", tmp_path / "same.uf2", tmp_path / "other.uf2"
    newer.write_bytes(uf2(text=b"MicroPython v1.24.1 "))
    same.write_bytes(uf2(text=b"MicroPython v1.23.0 "))
    other.write_bytes(uf2(0xE48BFF59, text=b"MicroPython v1.24.1 "))
    monkeypatch.setattr(BootLoading, "gone", False)
    monkeypatch.setattr(BootLoading, "restarted", False)
    monkeypatch.setattr(flash_board, "Repl", BootLoading)
    monkeypatch.setattr(flash_board, "reach_prompt", lambda *_: None)
    monkeypatch.setattr(port_survey, "look", lambda *_, **__: None)
    monkeypatch.setattr(bootsel, "unmounted", lambda: "")
    copied: list[Path] = []
    monkeypatch.setattr(bootsel, "copy_uf2", lambda chosen, _: copied.append(chosen.path))
    monkeypatch.setattr(bootsel, "find_drives", lambda: drives if BootLoading.gone and not copied else [])

    def ports() -> list[PortInfo]:
        there = PortInfo("/dev/ttyACM0", "", "E66", "Board in FS mode")
        return [there] if copied or not BootLoading.gone else []

    monkeypatch.setattr(flash_board, "list_ports", ports)
    said: list[str] = []

    def tell(step: Reason | str) -> None:
        said.append(words_of(step))

    def find(path: Path, *, dry_run: bool = False) -> str | None:
        return flash_board.find_board(
            "auto", path, ManualClock(), lambda step: said.append(words_of(step)), dry_run=dry_run
        )

    assert find(newer, dry_run=True) is None
    assert find(same) == "/dev/ttyACM0"
    assert "1.23.0 is on it already" in said[-1]
    with (
        pytest.raises(BadInputError, match="made for RP2350, the board has Raspberry Pi Pico with RP2040"),
        in_words(),
    ):
        find(other)
    assert (BootLoading.gone, BootLoading.restarted, copied) == (False, True, [])
    assert find(newer) == "/dev/ttyACM0"
    assert (BootLoading.gone, copied) == (True, [newer])


def test_no_board_several_boards_and_a_drive_that_is_not_mounted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "RPI-RP2").touch()
    device = bootsel.unmounted(tmp_path)
    monkeypatch.setattr(bootsel, "find_drives", list)
    found: list[PortInfo] = []
    monkeypatch.setattr(flash_board, "list_ports", lambda: found)
    monkeypatch.setattr(bootsel, "unmounted", lambda: "")

    def refusal() -> str:
        with pytest.raises(SourceError) as caught, in_words():
            flash_board.find_board("auto", None, ManualClock(), quiet, dry_run=False)
        return str(caught.value)

    assert "no board found" in refusal()
    assert "BOOTSEL" in refusal()
    monkeypatch.setattr(bootsel, "unmounted", lambda: device)
    assert f"udisksctl mount -b {device}" in refusal()
    found += [PortInfo(f"/dev/ttyACM{number}", "", "", "") for number in range(2)]
    assert "several boards found: /dev/ttyACM0, /dev/ttyACM1" in refusal()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "list of stations is missing"),
        ('{"stations": [{"name": "a", "touch": 40}]}', "a: touch: 40 is not an electrode"),
    ],
    ids=["cut", "deep", "list", "electrode"],
)
def test_a_bad_rig_file_is_refused_before_a_board_is_looked_for(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "rig.json"
    path.write_text(text)
    refused = CliRunner().invoke(command.flash, ["--rig", str(path)])
    assert isinstance(refused.exception, CompanionError)
    assert said in str(refused.exception)
    assert "\n" not in str(refused.exception)


def test_the_hash_is_the_one_over_what_is_listed() -> None:
    value = 0
    for name, path in board_files():
        value = crc32(name.encode() + b"\0" + path.read_bytes(), value)
    assert value == code_hash()
    names = [name for name, _ in board_files()]
    assert names[-1] == MAIN
    # Where viper does not load, its plain loops are imported.
    assert "firmware/wire/hot_loops_python.py" in names
    assert "firmware/board/main.py" not in names
