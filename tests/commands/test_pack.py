"""`companion pack`: what is inside is listed before it is written, and no name, address or number is in it."""

import gzip
import tarfile
from pathlib import Path
from shutil import copytree

import cv2
import msgspec
import pytest
from click.testing import CliRunner

from companion.commands.pack import pack
from companion.core.errors import BadInputError
from companion.core.packed_folder import unpacked
from companion.sensing.observation import Health
from companion.sensing.recording_folder import read_parts
from companion.session.journal.journal import Journal, read_good_lines, read_journal
from companion.session.journal.journal_lines import Observed, Opened
from companion.session.journal.recording_pack import FOREARM_SHARE
from firmware.host.port_recording import write_capture
from tests.firmware.test_masked_capture import ID, hello
from tests.support.recorded_table import RECORDINGS

NAMES = ("Annegret", "Balthasar")
SAID = "lost /dev/serial/by-id/usb-Pico_E6614103E7452D2F-if00 of Annegret at 192.168.7.23 (aa:bb:cc:dd:ee:ff)"
HIDDEN = (*NAMES, "192.168.7.23", "aa:bb:cc:dd:ee:ff", "E6614103", "e6614103", "Sleepy")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first seconds of the recording kept for the tests, with names and numbers in it."""
    folder = tmp_path_factory.mktemp("recording") / "evening"
    with unpacked(RECORDINGS / "sleepless-princess-beginning.tar.gz") as whole:
        copytree(whole, folder)
    [part] = read_parts(folder)
    for frame in part.frames[12:]:
        frame.path.unlink()
    (part.folder / "port.cap").unlink()
    write_capture(part.folder / "port.cap", [(part.port[0][0], hello()), *part.port[:40]])
    file = folder / "journals" / "game-1.jsonl"
    opened, *later = read_good_lines(file).lines[:6]
    assert isinstance(opened, Opened)
    file.unlink()
    journal = Journal(file, sync=False)
    named = msgspec.structs.replace(opened, people=NAMES, names=("Sleepy",))
    journal.write([named, *later, Observed(9.0, (Health(9.0, "board", False, SAID),))])
    journal.close()
    return folder


def packed(folder: Path, out: Path, *options: str, answer: str = "") -> tuple[str, int]:
    done = CliRunner().invoke(pack, [str(folder), "-o", str(out), *options], input=answer)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output, done.exit_code


def test_it_is_listed_before_it_is_written_and_only_then(short: Path, tmp_path: Path) -> None:
    out = tmp_path / "sent.tar.gz"
    said, _ = packed(short, out, answer="n\n")
    assert not out.exists()
    assert said.endswith("Nothing was written but sent-contents.jpg.\n")
    assert "games: 1" in said
    assert "pictures of the mat: 12, left out: 0" in said
    sheet = tmp_path / "sent-contents.jpg"
    assert str(sheet) in said
    assert cv2.imread(str(sheet)) is not None
    said, _ = packed(short, out, answer="y\n")
    assert "Written:" in said
    assert out.stat().st_mode & 0o777 == 0o600


def test_no_name_address_or_number_is_in_it(short: Path, tmp_path: Path) -> None:
    packed(short, tmp_path / "sent.tar.gz", "--yes")
    content = gzip.decompress((tmp_path / "sent.tar.gz").read_bytes())
    assert ID not in content
    assert [name for name in HIDDEN if name.encode() in content] == []
    with unpacked(tmp_path / "sent.tar.gz") as folder:
        recorded = read_journal(folder / "journals" / "game-1.jsonl")
        assert (recorded.opened.people, recorded.opened.names) == ((), ())
        assert len(recorded.lines) == 6
        [part] = read_parts(folder)
        assert len(part.frames) == 12


def test_nothing_is_written_over(short: Path, tmp_path: Path) -> None:
    out = tmp_path / "sent.tar.gz"
    out.write_bytes(b"mine")
    done = CliRunner().invoke(pack, [str(short), "-o", str(out), "--yes"])
    assert "exists already" in str(done.exception)
    assert out.read_bytes() == b"mine"


def test_pictures_with_more_than_a_forearm_are_left_out(
    short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(copytree(short, tmp_path / "evening"))
    [part] = read_parts(folder)
    last = part.frames[-1]
    head = cv2.imread(str(part.frames[0].path))
    high, wide = head.shape[:2]
    cv2.ellipse(head, (wide // 2, high), (wide // 4, high // 2), 0, 0, 360, (200, 210, 230), -1)
    assert 3.14 * wide * high / 16 > FOREARM_SHARE * wide * high
    whole = last.path.with_name(f"{round(1000 * last.t) + 400:010}_0+0_{last.width}x{last.height}.jpg")
    cv2.imwrite(str(whole), head)
    said, _ = packed(folder, tmp_path / "sent.tar.gz", "--yes", "--without-hands")
    with unpacked(tmp_path / "sent.tar.gz") as sent:
        times = [one.t for one in read_parts(sent)[0].frames]
    assert times
    assert max(times) <= last.t
    assert f"pictures of the mat: {len(times)}, left out: {13 - len(times)}" in said


def test_the_root_folder_is_no_recording() -> None:
    with pytest.raises(BadInputError, match="not a recording"):
        CliRunner().invoke(pack, ["/"], catch_exceptions=False)


def test_a_packed_file_that_reaches_outside_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "bad.tar.gz", "w:gz") as archive:
        archive.add(__file__, arcname="../../outside.py")
    done = CliRunner().invoke(pack, [str(tmp_path / "bad.tar.gz"), "--yes"])
    assert "cannot be unpacked" in str(done.exception)


def test_a_recording_that_is_not_there_is_said_without_a_number_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(BadInputError) as told, unpacked(tmp_path / "nothing"):
        pass
    assert str(told.value) == (
        f"{tmp_path / 'nothing'}: there is no such recording; name a folder that --record wrote"
    )
