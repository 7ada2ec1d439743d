"""Recordings replayed from pictures and bytes: to the same conclusions, and damaged as far as they go."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from shutil import copytree, rmtree

import cv2
import msgspec
import pytest
from click.testing import CliRunner

from companion.commands.replay import replay
from companion.core.packed_folder import unpacked
from companion.sensing.observation import Health, ManualEntry
from companion.sensing.recorded_pictures import pasted
from companion.sensing.recording_folder import Part, StoredFrame, read_parts
from companion.session.journal.journal import Journal, read_good_lines
from companion.session.journal.journal_lines import VERSION, Observed, Opened
from companion.session.journal.recorded_timeline import Timeline
from companion.session.journal.recording_pack import CONCLUSIONS
from companion.session.journal.recording_replay import Conclusion, ReplayedGame, replay_recording
from companion.virtual.card_art import ART, CORNERS, NO_MAT, PRINTED, STICKERS
from firmware.host.port_recording import read_capture, write_capture
from tests.support.recorded_table import RECORDINGS, packed, recorded

SHORT_S = 5.0
"""Seconds of the recording that is damaged: enough to be replayed, and cheap."""
FIXED = RECORDINGS / "sleepless-princess-beginning.tar.gz"


@pytest.mark.parametrize("file", sorted(RECORDINGS.glob("*.tar.gz")), ids=lambda file: file.name)
def test_a_packed_evening_leads_to_the_conclusions_recorded_in_it(file: Path) -> None:
    with unpacked(file) as folder:
        wanted = json.loads((folder / CONCLUSIONS).read_bytes())
        result = replay_recording(folder)
    assert result["missing"] == []
    found = [
        {
            "journal": game["journal"],
            "final_state": game["replayed_state"],
            "verdicts": [list(one) for one in game["replayed_verdicts"]],
            "score": game["replayed_score"],
        }
        for game in result["games"]
    ]
    assert found == wanted
    assert result["matches"]


@pytest.mark.long
def test_a_whole_game_recorded_packed_and_replayed_is_the_same(tmp_path: Path) -> None:
    report = recorded(tmp_path / "evening", seed=32)
    assert report.comparison.faults == ()
    packed(tmp_path / "evening", tmp_path / "sent.tar.gz", "--small")
    for source in (tmp_path / "evening", tmp_path / "sent.tar.gz"):
        with unpacked(source) as folder:
            [game] = replay_recording(folder)["games"]
        assert game["matches"]
        assert (game["over"], game["replayed_score"]) == (True, report.comparison.score)
        assert game["verdicts"] == game["replayed_verdicts"]


@pytest.mark.long
@pytest.mark.parametrize(("cards", "mat"), [(ART, PRINTED), (STICKERS, CORNERS), (ART, NO_MAT)])
def test_a_table_known_by_art_or_by_its_corners_alone_is_replayed_alike(
    cards: str, mat: str, tmp_path: Path
) -> None:
    recorded(tmp_path / "evening", 20.0, rig="camera", cards=cards, mat=mat)
    [part] = read_parts(tmp_path / "evening")
    assert part.settings is not None
    assert len(part.frames) > 10
    assert (part.settings.art, part.settings.home) == (cards == ART, mat == NO_MAT)
    packed(tmp_path / "evening", tmp_path / "sent.tar.gz")
    for source in (tmp_path / "evening", tmp_path / "sent.tar.gz"):
        with unpacked(source) as folder:
            result = replay_recording(folder)
        [game] = result["games"]
        assert (result["missing"], game["matches"]) == ([], True)
        assert game["replayed_state"] is not None


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first seconds of the recording."""
    folder = tmp_path_factory.mktemp("recording") / "evening"
    with unpacked(FIXED) as whole:
        copytree(whole, folder)
    [part] = read_parts(folder)
    until = part.frames[0].t + SHORT_S
    for frame in part.frames:
        if frame.t > until:
            frame.path.unlink()
    (part.folder / "port.cap").unlink()
    write_capture(part.folder / "port.cap", [one for one in part.port if one[0] <= until])
    _rewrite_journal(folder, lambda lines: [line for line in lines if getattr(line, "t", 0.0) <= until])
    return folder


@pytest.fixture
def evening(beginning: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    return Path(copytree(beginning, tmp_path / "evening"))


def test_the_beginning_as_it_is_has_no_fault(evening: Path) -> None:
    result = replay_recording(evening)
    assert (result["missing"], result["matches"]) == ([], True)


def _rewrite_journal(folder: Path, change: Callable[[list[object]], list[object]]) -> None:
    file = folder / "journals" / "game-1.jsonl"
    lines = change(list(read_good_lines(file).lines))
    file.unlink()
    journal = Journal(file, sync=False)
    journal.write(lines)
    journal.close()


def _frames(folder: Path) -> list[Path]:
    return sorted((folder / "part-1" / "frames").iterdir())


def _cut_capture(folder: Path) -> None:
    file = folder / "part-1" / "port.cap"
    file.write_bytes(file.read_bytes()[:-5])


def _spoil_capture(folder: Path) -> None:
    file = folder / "part-1" / "port.cap"
    data = file.read_bytes()
    file.write_bytes(data[: len(data) // 2] + b"\xff" * 40 + data[len(data) // 2 + 40 :])


def _shift_port(by: float) -> Callable[[Path], None]:
    def shift(folder: Path) -> None:
        file = folder / "part-1" / "port.cap"
        records = read_capture(file)
        half = len(records) // 2
        file.unlink()
        write_capture(file, [*records[:half], *((t + by, data) for t, data in records[half:])])

    return shift


def _some_frames_missing(folder: Path) -> None:
    for path in _frames(folder)[3:]:
        path.unlink()


def _gap(folder: Path) -> None:
    frames = _frames(folder)
    first = int(frames[0].name[:10])
    for path in frames:
        if first + 1000 < int(path.name[:10]) < first + 4600:
            path.unlink()


def _unreadable(folder: Path) -> None:
    for path in _frames(folder)[2:5]:
        path.write_bytes(path.read_bytes()[:20])


def _far_frame(folder: Path) -> None:
    last = _frames(folder)[-1]
    last.rename(last.with_name("9" + last.name[1:]))


def _foreign_frames(folder: Path) -> None:
    (folder / "part-1" / "frames" / "Thumbs.db").write_bytes(b"x")


def _cut_journal(folder: Path) -> None:
    file = folder / "journals" / "game-1.jsonl"
    file.write_bytes(file.read_bytes()[:-30])


def _flipped_journal(folder: Path) -> None:
    file = folder / "journals" / "game-1.jsonl"
    data = bytearray(file.read_bytes())
    data[len(data) * 2 // 3] ^= 1
    file.write_bytes(data)


def _gone(*names: str) -> Callable[[Path], None]:
    def remove(folder: Path) -> None:
        for name in names:
            path = folder / name
            rmtree(path) if path.is_dir() else path.unlink()

    return remove


DAMAGES = {
    "capture cut": (_cut_capture, "cut off in record"),
    "pictures missing": (_gap, "no picture for"),
    "journal cut": (_cut_journal, "damaged from line"),
    "the port's clock goes back": (_shift_port(-5.0), "the clock jumps in record"),
    "pictures unreadable": (_unreadable, "3 pictures cannot be read"),
    "the port's clock jumps": (_shift_port(1e6), "the clock jumps in record"),
    "pictures end": (_some_frames_missing, "the pictures end"),
    "journal gone": (_gone("journals/game-1.jsonl"), "no such file"),
    "settings gone": (_gone("part-1/settings.json"), "the settings cannot be read"),
    "a picture of another day": (_far_frame, "1 picture has an impossible time"),
    "capture spoilt": (_spoil_capture, "the port's bytes: 1 frame is damaged"),
    "foreign files": (_foreign_frames, "none of ours"),
    "journal flipped": (_flipped_journal, "damaged from line"),
    "games and mark gone": (_gone("part-1/games.jsonl", "recording.json"), ""),
    "port gone": (_gone("part-1/port.cap"), ""),
}


@pytest.mark.quick(2)
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_recording_is_replayed_as_far_as_it_goes(name: str, evening: Path) -> None:
    damage, said = DAMAGES[name]
    damage(evening)
    done = CliRunner().invoke(replay, [str(evening)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert "Sleepless Princess (5+), 2 players" in done.output
    assert said.casefold() in done.output.casefold()


def test_a_recording_without_anything_in_it_is_refused_in_one_line(evening: Path) -> None:
    for name in ("part-1", "journals"):
        rmtree(evening / name)
    done = CliRunner().invoke(replay, [str(evening)])
    assert "nothing of this recording can be replayed" in str(done.exception)


def test_a_folder_of_something_else_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "song.mp3").write_bytes(b"la")
    done = CliRunner().invoke(replay, [str(tmp_path)])
    assert "not a recording" in str(done.exception)


def test_a_game_that_went_on_in_a_further_part_is_one_game(evening: Path) -> None:
    """The program was started anew in the middle: its clock began anew, and the journal has a break."""
    [part] = read_parts(evening)
    at, off = part.frames[0].t + SHORT_S / 2, -100.0
    second = evening / "part-2"
    copytree(part.folder, second)
    whole = None
    for frame in part.frames:
        twin = second / "frames" / frame.path.name
        whole = pasted(frame, whole)
        assert whole is not None
        if frame.t < at:
            twin.unlink()
        else:
            frame.path.unlink()
            moved = f"{round(1000 * (frame.t + 100)):010}"
            twin.unlink()
            name = f"{moved}_0+0_{frame.width}x{frame.height}.jpg"
            cv2.imwrite(str(twin.with_name(name)), whole)
    for folder, records in (
        (part.folder, [one for one in part.port if one[0] < at]),
        (second, [(t - off, data) for t, data in part.port if t >= at]),
    ):
        (folder / "port.cap").unlink()
        write_capture(folder / "port.cap", records)
    games = [msgspec.structs.replace(part.games[0], begins=at - off, ahead=-off)]
    (second / "games.jsonl").write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in games))
    resumed = Observed(at, (ManualEntry(at, "resumed"), Health(at, "camera", False, "not heard")))
    _rewrite_journal(
        evening,
        lambda lines: [
            *(line for line in lines if isinstance(line, Opened) or line.t <= at),
            resumed,
            *(line for line in lines if not isinstance(line, Opened) and line.t > at),
        ],
    )
    result = replay_recording(evening)
    assert [game["journal"] for game in result["games"]] == ["game-1.jsonl"]
    assert (result["missing"], result["matches"]) == ([], True)


def test_a_replay_that_differs_says_in_what_but_not_what_lies_there() -> None:
    def believed(state: str) -> list[Conclusion]:
        return [Conclusion(0.0, state, (), None, None, "")]

    opened = Opened(VERSION, "sleepless-princess", "basic", 2, "0")
    then, now = (
        believed("basic 2 hands=4,4/2 deck=?x3 discard=2"),
        believed("basic 2 hands=4,1/2 deck=?x3 discard=4"),
    )
    assert ReplayedGame("game", opened, then, now, 0.0).as_dict()["differs"] == ["hands", "discard"]
    assert ReplayedGame("game", opened, then, then, 0.0).as_dict()["differs"] == []


def test_a_table_that_waits_for_long_has_no_impossible_time(tmp_path: Path) -> None:
    def told(times: Iterable[float]) -> tuple[int, list[str]]:
        frames = [StoredFrame(t, tmp_path, 0, 0, 64, 64) for t in times]
        missing: list[str] = []
        timeline = Timeline.of(Part(tmp_path, frames=frames), 0.0, 10.0, missing)
        assert timeline is not None
        return len(timeline.frames), missing

    assert told(range(200)) == (71, []), "a minute after the journal's last line, the rest is quiet"
    assert told([*range(60), 1e6])[1] == [f"{tmp_path.name}: 1 picture has an impossible time"]
