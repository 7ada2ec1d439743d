"""The support archive: what is in it, and that no secret of a game or a household is."""

import json
import re
import tarfile
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.doctor.all_checks import Asked, Examination, examine
from calibration.doctor.masked_text import Mask
from calibration.doctor.probes import Access, CameraLook, Libraries, Package, Probes
from calibration.doctor.support_bundle import FOLDER, Wanted, write_bundle
from calibration.profile import RigProfile
from calibration.rig_store import RigStore
from companion.cli import cli
from companion.core.config import Fingerprints, StationConfig
from companion.core.errors import BadInputError
from companion.sensing.board_check import BoardReport, StationReport
from companion.sensing.observation import Seen as SeenCard
from companion.sensing.observation import Sighting, TagRead
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import (
    VERSION,
    Adopted,
    Contradicted,
    Done,
    Noticed,
    Observed,
    Opened,
)
from vision.camera.frames import CameraInfo

PLAIN = Wanted()
NOW = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)
BY_ID = "/dev/serial/by-id/usb-MicroPython_Board_e66118604b4f2a2b-if00"
TAGS = ("04a1b2c3d4e5f6", "0499887766554433"[:14])
RIG = RigProfile(
    camera="http://ann:secret@192.168.1.20:8080/video",
    port=BY_ID,
    fingerprints=Fingerprints("HD cam", "e66118604b4f2a2b"),
    tags={TAGS[0]: "M0A", TAGS[1]: "M3S"},
    presses={"3t": (bytes(256),)},
    stations={"bed 1": StationConfig(0.5, 3.9)},
    art=b"pictures of all cards",
    home=b"a picture of the table, with people",
)
REPORT = BoardReport(BY_ID, "e66118604b4f2a2b", "1.0.0", "0011aabb", True, "1.2", (3.0,), 0, 0,
                     (StationReport("pad", ("reader",), (), True, f"last tag {TAGS[0]}"),), ())  # fmt: skip


def at_home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = folder / "home" / "ann"
    for name, part in (("STATE", "state"), ("RUNTIME", "run"), ("CONFIG", "config"), ("DATA", "data")):
        monkeypatch.setenv(f"XDG_{name}_{'DIR' if name == 'RUNTIME' else 'HOME'}", str(home / part))
    monkeypatch.setenv("HOME", str(home))
    (home / "config" / "companion").mkdir(parents=True)
    settings = 'names = ["Wolkenkind"]\n[tags]\n"04a1b2c3d4e5f6" = "M0A"\n'
    (home / "config" / "companion" / "companion.toml").write_text(settings, encoding="utf-8")
    return home


def a_game(path: Path, hidden: str) -> Path:
    """A journal whose hidden cards are these: what sensors saw of them, what was done and settled."""
    journal = Journal(path, sync=False)
    journal.write(
        [
            Opened(VERSION, "sleepless-princess", "basic", 2, names=("Wolkenkind",)),
            Observed(1.0, (TagRead(1.0, "pad", TAGS[0] if hidden == "M0A" else TAGS[1]),)),
            Observed(2.0, (Sighting(2.0, "play", (SeenCard(hidden, 0.9, 1.0, 2.0),)),)),
            Done(2.0, f"deal {hidden}"),
            Noticed(3.4, "pad reader", False, f"misses tags; last {TAGS[0]} in {Path.home()}"),
            Adopted(4.0, f"state {hidden}"),
            Contradicted(5.0, 1, "proved", "refuted", ("pad reader",)),
        ]
    )
    journal.close()
    return path


def bundled(folder: Path, journal: Path, wanted: Wanted = PLAIN) -> dict[str, bytes]:
    store = RigStore(folder / "rigs")
    store.save("den", RIG, NOW)
    image = np.full((72, 128, 3), 90, np.uint8)
    probes = Probes(
        libraries=lambda: Libraries((Package("numpy", ">=2", "2.4.0.93"),)),
        now=lambda: NOW,
        free_mb=lambda _: 9000.0,
        access=lambda device: Access(device, True, "dialout", True),
        camera=lambda _: CameraLook("fine", image[:, :, 0], image, CameraInfo(128, 72, 30, "stream"), 0.0),
        board=lambda _port, _known: REPORT,
        rigs=lambda: store,
        journal=lambda: journal,
        user=lambda: "ann",
        terminal=lambda: (120, 40),
    )
    examination = Examination(Asked(), probes)
    file = folder / "bundle.tar.gz"
    write_bundle(file, examination, list(examine(examination)), wanted, NOW, overwrite=True)
    assert file.stat().st_mode & 0o077 == 0
    with tarfile.open(file) as archive:
        return {name.removeprefix(f"{FOLDER}/"): read(archive, name) for name in archive.getnames()}


def read(archive: tarfile.TarFile, name: str) -> bytes:
    found = archive.extractfile(name)
    assert found is not None
    return found.read()


def test_the_archive_tells_versions_checks_rig_and_health(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home(tmp_path, monkeypatch)
    files = bundled(tmp_path, a_game(tmp_path / "game.jsonl", "M3S"))
    assert set(files) == {
        "README.txt", "checks.json", "versions.json", "board.json", "settings.json", "rig.toml", "health.jsonl",
    }  # fmt: skip
    checks = {check["name"]: check for check in json.loads(files["checks.json"])}
    assert checks["firmware"]["verdict"] == "good"
    assert "0011aabb" in checks["firmware"]["said"]
    assert json.loads(files["versions.json"])["packages"] == {"numpy": "2.4.0.93"}
    assert "2.4.0.93" in checks["packages"]["said"]
    first, *noticed = map(json.loads, files["health.jsonl"].splitlines())
    assert first["game"] == "sleepless-princess"
    detail = noticed[0].pop("detail")
    assert noticed == [{"t": 3, "source": "pad reader", "ok": False}]
    rig = tomllib.loads(files["rig.toml"].decode())
    assert rig["stations"] == {"bed 1": {"zero_g": 0.5, "card_g": 3.9, "reversed": False}}
    assert (rig["tags"], rig["presses"], rig["name"]) == (2, {"3t": 1}, "den")
    assert (rig["art"], rig["home"]) == (len(RIG.art), len(RIG.home)), (
        "no pictures but those that are asked for"
    )
    assert re.fullmatch(r"misses tags; last serial-\d in ~", detail)
    assert b"with-pictures" in files["README.txt"]


def test_hidden_cards_change_no_byte_of_the_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(tmp_path, monkeypatch)
    one, other = (bundled(tmp_path, a_game(tmp_path / f"{at}" / "game.jsonl", card))
                  for at, card in enumerate(("M0A", "M3S")))  # fmt: skip
    # The path of the journal differs between both, and is masked.
    assert other == one
    told = b"\n".join(one.values()).decode()
    assert not re.search(r"\b(M0A|M3S)\b", told)
    assert "deal" not in one["health.jsonl"].decode()


def test_no_serial_number_home_address_or_name_is_in_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = at_home(tmp_path, monkeypatch)
    files = bundled(tmp_path, a_game(tmp_path / "game.jsonl", "M3S"))
    told = b"\n".join(files.values()).decode()
    for secret in ("e66118604b4f2a2b", *TAGS, str(home), "ann:", "secret", "192.168", "Wolkenkind"):
        assert secret not in told, secret
    assert "by-id/serial-" in files["rig.toml"].decode()


@pytest.mark.parametrize(
    "camera",
    [
        "http://ann:GE HEIM@192.168.1.20:8080/video",
        "http://cam/cgi?cmd=GetMJStream&usr=ann&pwd=GEHEIM",
        "rtsp://192.168.1.10:554/user=ann&password=GEHEIM&channel=1",
        "http://[2001:db8:17ff::5]:8080/GEHEIM",
        "/mnt/stick/GEHEIM Lena/table.mp4",
    ],
)
def test_nothing_of_a_cameras_address_or_of_a_journals_name_is_in_the_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, camera: str
) -> None:
    at_home(tmp_path, monkeypatch)
    monkeypatch.setitem(globals(), "RIG", msgspec.structs.replace(RIG, camera=camera))
    files = bundled(tmp_path, a_game(tmp_path / "Annas Geburtstag.jsonl", "M3S"))
    told = b"\n".join(files.values()).decode()
    for secret in ("GEHEIM", "HEIM@", "2001:db8", "192.168", "Lena", "Geburtstag"):
        assert secret not in told, secret


def test_pictures_and_hidden_cards_come_only_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home(tmp_path, monkeypatch)
    journal = a_game(tmp_path / "game.jsonl", "M3S")
    files = bundled(tmp_path, journal, Wanted(pictures=True, hidden=True))
    picture = cv2.imdecode(np.frombuffer(files["camera.jpg"], np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (72, 128, 3)
    assert files["journal.jsonl"] == journal.read_bytes()
    assert b"HIDDEN" in files["README.txt"]


def test_a_file_that_exists_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_home(tmp_path, monkeypatch)
    file = tmp_path / "mine.tar.gz"
    file.write_bytes(b"mine")
    examination = Examination(Asked(), Probes())
    with pytest.raises(BadInputError, match="exists already"):
        write_bundle(file, examination, [], Wanted(), NOW)
    assert file.read_bytes() == b"mine"
    with pytest.raises(BadInputError, match="No such file"):
        write_bundle(tmp_path / "none" / "a.tar.gz", examination, [], Wanted(), NOW)


def test_the_command_writes_an_archive_and_names_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home(tmp_path, monkeypatch)
    file = tmp_path / "b.tar.gz"
    done = CliRunner().invoke(cli, ["doctor", "--json", "--bundle", str(file)])
    found: dict[str, Any] = msgspec.json.decode(done.stdout)
    assert {"README.txt", "checks.json", "settings.json"} <= set(found["bundle"])
    with tarfile.open(file) as archive:
        assert {name.split("/")[1] for name in archive.getnames()} == set(found["bundle"])
    refused = CliRunner().invoke(cli, ["doctor", "--with-hidden"])
    assert isinstance(refused.exception, BadInputError)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("/home/bob/games and /media/bob/usb", "~/games and ~/usb"),
        ("rtsp://u:p@cam.local:554/live", "rtsp://address-1/path-1"),
        ("http://cam:88/cgi?usr=ann&pwd=GEHEIM: lost", "http://address-1/path-1: lost"),
        ("'http://b:GE/HE'IM@[fe80::1]:8080/x', lost", "'http://address-1/path-1', lost"),
        ("ws://cam/a and ws://cam/b", "ws://address-1/path-1 and ws://address-1/path-2"),
        ("bob:GEHEIM@10.0.0.7/video", "address-1/path-1"),
        ("10.0.0.7:88/x?token=GEHEIM (lost)", "address-1/path-1 (lost)"),
        ("cgi?cmd=get&usr=bob&pwd=GEHEIM&n=1", "cgi?cmd=get&usr=secret-1&pwd=secret-2&n=1"),
        ("2001:db8:17ff:1234::5: refused", "address-1: refused"),
        ("[2001:db8::5]:1883/x, fe80::1%wlan0, 2001:DB8::5", "address-1/path-1, address-2, address-3"),
        ("at 12:30:05 on ::1, std::string", "at 12:30:05 on ::1, std::string"),
        ("bobs-pi.local, nas.fritz.box:88 and ~/.local/x", "address-1, address-2 and ~/.local/x"),
        ("/home/Bob Lee/x, /home/bob is full", "~/x, ~ is full"),
        ("seen in Bobs-birthday.jsonl.damaged", "seen in journal-1.damaged"),
        ("/mnt/Bob Lee/game.mp4 ended", "file-1 ended"),
        ("from 10.0.0.7 to 10.0.0.7", "from address-1 to address-1"),
        ("tag 04a1b2c3 and 04A1B2C3", "tag number-1 and number-1"),
        ("code 0011aabb", "code 0011aabb"),
        ("H07A twice, H07AB once", "card-1 twice, H07AB once"),
        ("bed 12, 1920 x 1080, 30 fps, effaced", "bed 12, 1920 x 1080, 30 fps, effaced"),
        ("zero_g = 0.5 g, card_g", "zero_g = 0.5 g, card_g"),
        ("ann and Annabel", "user-1 and Annabel"),
    ],
)
def test_texts_are_masked(text: str, masked: str) -> None:
    video = "/mnt/Bob Lee/game.mp4"
    mask = Mask(Path("/home/ann"), "ann", cards=["H07A", "G"], kept=["0011AABB"], files=[video])
    assert mask.text(text) == masked
