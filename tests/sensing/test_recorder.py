"""The recorder: what is kept, within which bounds, and that nothing of it stops a game."""

import errno
import shutil
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.games.registry import load_game
from companion.sensing import recorder as recorders
from companion.sensing.recorded_pictures import RecordedPictures
from companion.sensing.recorder import Recorder
from companion.sensing.recording_folder import RecordedSettings, read_parts
from firmware.host.port_recording import read_capture
from vision.camera.frames import Frame

SETTINGS = RecordedSettings("sleepless-princess", "basic", 3, tags={"04a1": "5"})
MAT = load_game("sleepless-princess").mat("basic")


class Placed:
    """A mat that lies in the middle of the picture."""

    laid = ()

    def zone_rect(self, zone: Any, margin: float = 0.0) -> tuple[int, int, int, int]:
        return 100, 50, 500, 300


def vision(found: bool = True) -> Any:
    return SimpleNamespace(found=found, registration=Placed(), mat=MAT)


def picture(level: int) -> Any:
    return np.full((360, 640, 3), level, np.uint8)


def recorder(folder: Path, **options: Any) -> Recorder:
    return Recorder(folder, SETTINGS, ManualClock(), at_once=True, **options)


def frames(folder: Path) -> list[float]:
    return [one.t for one in read_parts(folder)[-1].frames]


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(BadInputError, match="something else than a recording"):
        recorder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_what_is_kept_is_said_first(tmp_path: Path) -> None:
    [said] = recorder(tmp_path / "evening", most_mb=2000).news()
    assert said.startswith(
        f"Recording into {tmp_path / 'evening'}: the game, what the board says, and pictures"
    )
    assert "room for about" in said


def test_pictures_are_kept_once_a_second_and_at_changes_three_times(tmp_path: Path) -> None:
    kept = recorder(tmp_path)
    for number in range(45):  # three seconds of a still table, then three of a moving one
        kept.look(Frame(number / 15, picture(90)), vision())
    assert frames(tmp_path) == pytest.approx([0.0, 1.0, 2.0], abs=0.05)
    for number in range(45, 90):
        kept.look(Frame(number / 15, picture(20 * number % 250)), vision())
    assert 8 <= len(frames(tmp_path)) - 3 <= 9
    kept.close()


def test_only_the_mat_is_kept_and_nothing_while_it_is_not_found(tmp_path: Path) -> None:
    kept = recorder(tmp_path)
    kept.look(Frame(1.0, picture(10)), vision(found=False))
    assert frames(tmp_path) == []
    kept.look(Frame(2.0, picture(10)), vision())
    [one] = read_parts(tmp_path)[0].frames
    assert (one.left, one.top, one.width, one.height) == (100, 50, 640, 360)
    clock = ManualClock(2.0)
    seen = RecordedPictures([one], clock).read()
    assert seen is not None
    assert seen.size == (360, 640)


def test_the_last_picture_of_a_movement_is_kept(tmp_path: Path) -> None:
    kept = recorder(tmp_path)
    for number, level in enumerate([50, 80, 90, 90, 90, 90, 90, 90]):
        kept.look(Frame(number / 15, picture(level)), vision())
    assert frames(tmp_path) == pytest.approx([0.0, 0.333], abs=0.01)


def test_at_its_bound_pictures_end_and_bytes_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorders, "MEGABYTE", 2_000)
    kept = recorder(tmp_path, most_mb=10)
    kept.news()
    noise = np.random.default_rng(1)
    for number in range(10):
        kept.look(Frame(float(number), noise.integers(0, 255, (360, 640, 3), np.uint8)), vision())
        kept.record(float(number), b"abc")
    assert frames(tmp_path) == []
    assert [str(one) for one in kept.news()] == [
        "The recording is full: no more pictures are kept. The game goes on, with its journal."
    ]
    kept.close()
    assert len(read_capture(tmp_path / "part-1" / "port.cap")) == 10


def test_little_room_on_the_disk_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    free = recorders._KEPT_FREE + 60_000_000
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(free, 0, free))
    monkeypatch.setattr(recorders, "_LOOK_BYTES", 1)
    kept = recorder(tmp_path)
    kept.news()
    for number in range(5):
        kept.look(Frame(float(number), picture(number * 20)), vision())
    assert [str(one) for one in kept.news()] == ["Room for about 2 more minutes of recording."]
    assert len(frames(tmp_path)) == 5


def _full(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def _remove(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(folder)


def _fill(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorders, "write_private", _full)


@pytest.mark.parametrize("trouble", [_remove, _fill])
def test_a_recording_that_fails_says_so_once_and_stops_nothing(
    trouble: Callable[[Path, pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = recorder(tmp_path / "evening")
    kept.news()
    trouble(tmp_path / "evening", monkeypatch)
    for number in range(4):
        kept.look(Frame(float(number), picture(number)), vision())
        kept.record(float(number), b"abc")
    journal = tmp_path / "game.jsonl"
    journal.write_bytes(b"{}\n")
    kept.game(journal, 1.0, 0.0)
    assert len([one for one in kept.news() if "The game goes on." in one]) == 1
    kept.close()


def test_a_journal_is_a_link_and_on_another_disk_a_copy_that_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "game.jsonl"
    journal.write_bytes(b"one\n")
    linked = recorder(tmp_path / "linked")
    linked.game(journal, 0.0, 0.0)
    assert (tmp_path / "linked/journals/game.jsonl").samefile(journal)

    def refused(*_: Any) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    copied = recorder(tmp_path / "copied")
    copied.game(journal, 0.0, 0.0)
    with journal.open("ab") as file:
        file.write(b"two\n")
    copied.close()
    assert (tmp_path / "copied/journals/game.jsonl").read_bytes() == b"one\ntwo\n"


def test_a_further_run_is_a_further_part_of_the_same_journal(tmp_path: Path) -> None:
    journal = tmp_path / "game.jsonl"
    journal.write_bytes(b"one\n")
    for begins, ahead in ((0.0, 0.0), (500.0, 480.0)):
        kept = recorder(tmp_path / "evening")
        kept.game(journal, begins, ahead)
        kept.close()
    parts = read_parts(tmp_path / "evening")
    assert [part.folder.name for part in parts] == ["part-1", "part-2"]
    assert [(game.journal, game.begins, game.ahead) for part in parts for game in part.games] == [
        ("game.jsonl", 0.0, 0.0),
        ("game.jsonl", 500.0, 480.0),
    ]
    assert parts[0].settings == SETTINGS


def test_another_journal_of_the_same_name_has_a_name_of_its_own(tmp_path: Path) -> None:
    for evening in ("monday", "tuesday"):
        (tmp_path / evening).mkdir()
        journal = tmp_path / evening / "game.jsonl"
        journal.write_text(evening)
        kept = recorder(tmp_path / "kept")
        kept.game(journal, 0.0, 0.0)
        kept.close()
    assert (tmp_path / "kept/journals/game-2.jsonl").read_text() == "tuesday"


def test_a_run_that_opened_no_table_leaves_no_part(tmp_path: Path) -> None:
    kept = recorder(tmp_path)
    kept.abandon()
    assert read_parts(tmp_path) == []


def test_a_thread_of_its_own_writes_what_waits_before_it_ends(tmp_path: Path) -> None:
    kept = Recorder(tmp_path, SETTINGS, ManualClock())
    kept.look(Frame(0.0, picture(50)), vision())
    kept.record(0.5, b"abc")
    kept.close()
    assert frames(tmp_path) == [0.0]
    assert read_capture(tmp_path / "part-1" / "port.cap") == [(0.5, b"abc")]
