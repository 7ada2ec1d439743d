"""Rig profiles: written atomically, kept as backups, moved between machines, read by the engine."""

import contextlib
import io
import struct
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from calibration.profile import PRESS_CELLS, RigProfile, StepRecord, migrated, with_rig
from calibration.rig_store import BACKUPS_KEPT, DamagedRigError, RigStore, configured_rig, read_exported
from calibration.wizard.setup_run import known
from calibration.wizard.step_result import Verdict
from companion.core.config import (
    Config,
    Fingerprints,
    LensConfig,
    StationConfig,
    TableSettings,
    load_config,
)
from companion.core.errors import BadInputError

NOON = datetime(2026, 5, 1, 12, 0, 0, tzinfo=UTC)


def press(seed: int) -> bytes:
    return Random(seed).randbytes(PRESS_CELLS)


RIG = RigProfile(
    camera="0",
    port="auto",
    fingerprints=Fingerprints("HD cam, 1920 x 1080", "e66118604b4f2a2b"),
    lens=LensConfig(1920, 1080, 1400.0, 960.0, 540.0, (-0.3, 0.1)),
    tags={"04aa": "X1"},
    presses={"0t": (press(1), press(2)), "1t": (press(3),)},
    stations={"left": StationConfig(0.5, 3.9)},
    wires={"count": {"left": "right", "right": "left"}},
    buttons=("left", "right"),
    steps={"camera": StepRecord(Verdict.GOOD, "2026-05-01T12:00:00+00:00", 0.31, "mm")},
)


@pytest.fixture
def store(tmp_path: Path) -> RigStore:
    return RigStore(tmp_path / "rigs")


def test_a_saved_rig_is_read_as_it_was(store: RigStore) -> None:
    written = store.save("living-room", RIG, NOON)
    assert store.load("living-room") == written
    assert written.presses == RIG.presses
    assert store.names() == ("living-room",)


def test_the_version_before_becomes_a_backup_and_comes_back(store: RigStore) -> None:
    store.save("den", RIG, NOON)
    store.save("den", RigProfile(camera="1"), NOON + timedelta(hours=1))
    (date,) = store.backups("den")
    assert store.load("den").camera == "1"
    store.restore("den", date, NOON + timedelta(hours=2))
    assert (store.load("den").camera, store.load("den").presses) == ("0", RIG.presses)
    assert len(store.backups("den")) == 2


def test_a_rig_that_cannot_be_read_names_the_command_that_brings_the_former_one_back(store: RigStore) -> None:
    store.save("den", RIG, NOON)
    store.save("den", RigProfile(camera="1"), NOON + timedelta(hours=1))
    (store.folder / "den.toml").write_text("camera = [", encoding="utf-8")
    with pytest.raises(BadInputError, match="companion setup --rig den --restore last"):
        store.load("den")
    assert store.restore("den", "", NOON + timedelta(hours=2)).camera == "0"
    assert store.load("den").camera == "0"


@pytest.mark.parametrize("lost", ["den.toml", "den-*.npz"])
def test_a_damaged_rig_without_a_former_version_says_how_to_go_on(store: RigStore, lost: str) -> None:
    store.save("den", RIG, NOON)
    (file,) = store.folder.glob(lost)
    if file.suffix == ".toml":
        file.write_bytes(file.read_bytes()[:100])
    else:
        file.unlink()
    with pytest.raises(DamagedRigError) as told:
        store.load("den")
    assert told.value.next_step == (
        f"no earlier version is kept: move {store.folder / 'den.toml'} away and set up anew (companion setup "
        "--rig den), or take over an exported rig: companion setup --rig den --import FILE"
    )
    profile, complaint = known(store, "den")
    assert profile == RigProfile()
    assert complaint.endswith("; it is set up anew, and the damaged file is kept in backups")
    store.save("den", RIG, NOON)
    assert store.load("den").camera == "0"


def test_a_damaged_version_keeps_its_arrays_until_somebody_has_mended_it(store: RigStore) -> None:
    store.save("den", RIG, NOON)
    path = store.folder / "den.toml"
    sound = path.read_text(encoding="utf-8")
    path.write_text(sound.replace("camera =", "camera", 1), encoding="utf-8")
    store.save("den", RigProfile(camera="1"), NOON + timedelta(hours=1))
    (date,) = store.backups("den")
    (store.folder / "backups" / f"den@{date}.toml").write_text(sound, encoding="utf-8")
    assert store.restore("den", date, NOON + timedelta(hours=2)).presses == RIG.presses


def test_backups_and_their_arrays_do_not_pile_up(store: RigStore) -> None:
    for number in range(BACKUPS_KEPT + 4):
        profile = RigProfile(presses={"0t": (press(number),)})
        store.save("den", profile, NOON + timedelta(seconds=number))
    assert len(store.backups("den")) == BACKUPS_KEPT
    assert len(list(store.folder.glob("*.npz"))) == BACKUPS_KEPT + 1


def test_a_full_disk_leaves_the_rig_as_it_was(store: RigStore, monkeypatch: pytest.MonkeyPatch) -> None:
    before = store.save("den", RIG, NOON)

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.save("den", RigProfile(), NOON + timedelta(hours=1))
    monkeypatch.undo()
    assert store.load("den") == before
    assert not list(store.folder.glob(".*.part"))


def test_an_exported_rig_is_read_elsewhere(store: RigStore, tmp_path: Path) -> None:
    written = store.save("den", RIG, NOON)
    store.export("den", tmp_path / "den.rig")
    assert read_exported(tmp_path / "den.rig") == written
    with pytest.raises(BadInputError, match="exists already; name another file with --export"):
        store.export("den", tmp_path / "den.rig")


def test_a_damaged_archive_is_told_in_one_line_wherever_the_damage_is(store: RigStore, tmp_path: Path) -> None:
    store.save("den", RIG, NOON)
    store.export("den", tmp_path / "den.rig")
    whole = (tmp_path / "den.rig").read_bytes()
    damaged = tmp_path / "damaged.rig"
    for at in range(0, len(whole), max(1, len(whole) // 30)):
        for damage in (whole[:at], whole[:at] + bytes((whole[at] ^ 0xFF,)) + whole[at + 1 :]):
            damaged.write_bytes(damage)
            with contextlib.suppress(BadInputError):
                read_exported(damaged)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("version = 99", "of a newer program"),
        ("", "no rig profile"),
        ("version = = 1", "cannot be read"),
        ("version = 1\nshape = 3", "shape"),
        ('version = 1\n[presses]\nfile = "../secret.npz"', "names an array file elsewhere"),
        ('version = 1\n[presses]\nfile = "gone.npz"', "No such file"),
        ('version = 1\n[stations."left"]\ncard_g = 0', "card_g"),
    ],
)
def test_a_file_that_is_no_profile_is_named(store: RigStore, text: str, says: str) -> None:
    store.folder.mkdir()
    (store.folder / "den.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError, match=says):
        store.load("den")


def test_pictures_of_cards_are_kept_beside_the_rig_and_count_for_its_game(
    store: RigStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: store.folder)
    profile = RigProfile(game="sleeping-queens", art=b"pictures", home=b"a table")
    store.save("den", profile, NOON)
    assert (store.load("den").art, store.load("den").home) == (b"pictures", b"a table")
    there = configured_rig(Config(), "den")
    assert Path(there.home).read_bytes() == b"a table"
    assert configured_rig(Config(), "den", "sleepless-princess").home == ""
    store.export("den", tmp_path / "den.zip")
    assert read_exported(tmp_path / "den.zip").art == b"pictures"
    store.save("den", RigProfile(game="sleeping-queens", art=b"others"), NOON, backup=False)
    assert [path.read_bytes() for path in store.folder.glob("*.art")] == [b"others"]
    assert Path(configured_rig(Config(), "den").art).read_bytes() == b"others"
    assert configured_rig(Config(), "den", "sleepless-princess").art == ""


def test_an_array_file_of_something_else_is_refused(store: RigStore) -> None:
    store.folder.mkdir()
    (store.folder / "den.toml").write_text('version = 1\n[presses]\nfile = "a.npz"', encoding="utf-8")
    (store.folder / "a.npz").write_bytes(b"not an archive")
    with pytest.raises(BadInputError, match="no array file"):
        store.load("den")


def test_names_of_characters_count_for_the_game_of_the_rig_alone() -> None:
    rig = RigProfile(game="sleepless-princess", names=("Kites",))
    assert with_rig(Config(), rig).names == ("Kites",)
    assert with_rig(Config(game="sleeping-queens"), rig).names == ()


def _npz(shape: str, size: int) -> bytes:
    """An array file of one array that claims this shape, with `size` zeros."""
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "0t.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(size)
        )
    return packed.getvalue()


LENS = "[lens]\nwidth = 1920\nheight = 1080\nfocal = {}\ncx = 0.0\ncy = 0.0"


@pytest.mark.parametrize(
    ("text", "array", "says"),
    [
        ('[presses]\nfile = "p.npz"', _npz("(1000000000000, 256)", 100), "no array file"),
        ('[presses]\nfile = "p.npz"', _npz("(40000, 256)", 40000 * 256), "claims to be huge"),
        ("x = " + "[" * 5000 + "]" * 5000, b"", "cannot be read"),
        (LENS.format("nan"), b"", "focal"),
        (LENS.format("-1.0"), b"", "focal"),
        ('[tags]\n"../../x" = "M0A"', b"", "no number of a tag"),
        ('[tags]\n"04aa" = "\\u001b[2J"', b"", "is no name"),
        (f'names = ["{500 * "x"}"]', b"", "is no name"),
    ],
    ids=["shape", "bomb", "nested", "nan", "negative", "tag", "escape", "long"],
)
def test_a_hostile_archive_is_refused_in_a_line(tmp_path: Path, text: str, array: bytes, says: str) -> None:
    path = tmp_path / "rig.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("rig.toml", f"version = 1\n{text}\n")
        archive.writestr("p.npz", array)
    with pytest.raises(BadInputError, match=says) as refused:
        read_exported(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("where", ["rig.toml", "presses.npz"])
def test_an_archive_whose_content_was_damaged_is_refused_in_a_line(
    store: RigStore, tmp_path: Path, where: str
) -> None:
    store.save("den", RIG, NOON)
    path = tmp_path / "den.zip"
    store.export("den", path)
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo(where).header_offset + 30 + len(where)
    data[at : at + 8] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(BadInputError, match="no exported rig"):
        read_exported(path)


def test_an_array_file_that_was_damaged_is_refused_in_a_line(store: RigStore) -> None:
    store.save("den", RIG, NOON)
    (file,) = store.folder.glob("*.npz")
    data = bytearray(file.read_bytes())
    with zipfile.ZipFile(file) as archive:
        first = archive.infolist()[0]
    at = (
        first.header_offset
        + 30
        + int.from_bytes(data[first.header_offset + 26 : first.header_offset + 28], "little")
    )
    at += int.from_bytes(data[first.header_offset + 28 : first.header_offset + 30], "little")
    data[at : at + 8] = b"\xff" * 8
    file.write_bytes(data)
    with pytest.raises(BadInputError, match="no array file"):
        store.load("den")


@pytest.mark.parametrize("name", ["", "../x", "A room", "-x", "x" * 41])
def test_a_rig_has_a_plain_name(store: RigStore, name: str) -> None:
    with pytest.raises(BadInputError, match="no name of a rig"):
        store.save(name, RIG, NOON)


def test_one_rig_is_used_unasked_and_of_several_one_is_named(store: RigStore) -> None:
    assert store.usual() == ""
    store.save("den", RIG, NOON)
    assert store.usual() == "den"
    store.save("hall", RIG, NOON)
    assert store.usual("hall") == "hall"
    with pytest.raises(BadInputError, match="several rigs: den, hall"):
        store.usual()
    with pytest.raises(BadInputError, match="no such rig"):
        store.usual("attic")


def test_settings_of_an_older_program_become_a_rig(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    lens = "[lens]\nwidth = 1920\nheight = 1080\nfocal = 1380.0\ncx = 960.0\ncy = 540.0\n"
    textures = f'[textures]\n"0t" = ["{press(1).hex()}"]\n'
    path.write_text(
        f'camera = "0"\n[tags]\n"04aa" = "X1"\n[stations.left]\ncard_g = 3.5\n{lens}{textures}',
        encoding="utf-8",
    )
    rig = migrated(load_config(path))
    assert (rig.tags, rig.presses) == ({"04aa": "X1"}, {"0t": (press(1),)})
    assert rig.lens is not None
    assert rig.lens.focal == 1380.0
    again = with_rig(Config(), rig)
    assert (again.textures, again.stations["left"].card_g) == ({"0t": [press(1).hex()]}, 3.5)


def test_what_settings_and_rigs_both_say_stands_in_one_place() -> None:
    own = [set(one.__struct_fields__) - set(TableSettings.__struct_fields__) for one in (Config, RigProfile)]
    assert len(TableSettings.__struct_fields__) == 12
    # Settings name the files of pictures and of a bare table; a profile holds what is in them.
    assert own[0] & own[1] == {"art", "home"}


def test_a_rig_file_of_an_earlier_version_is_read_and_written_as_it_was(store: RigStore) -> None:
    told = """version = 1
made = "2026-05-01T12:00:00+00:00"
game = "sleepless-princess"
variant = "5+"
camera = "0"
names = ["Kites"]
buttons = ["left"]

[tags]
04aa = "X1"

[stations.left]
zero_g = 0.5
card_g = 3.9
reversed = false
"""
    store.folder.mkdir()
    (store.folder / "den.toml").write_text(told, encoding="utf-8")
    read = store.load("den")
    assert (read.game, read.tags, read.stations) == (
        "sleepless-princess",
        {"04aa": "X1"},
        {"left": StationConfig(0.5, 3.9)},
    )
    store.save("den", read, NOON, backup=False)
    assert (store.folder / "den.toml").read_text(encoding="utf-8") == told


def test_what_a_rig_knows_replaces_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    settings = Config(camera="old", tags={"04aa": "X9", "04bb": "X2"})
    assert configured_rig(settings, None) == settings
    RigStore().save("den", RIG, NOON)
    found = configured_rig(settings, None)
    assert (found.camera, found.tags) == ("0", {"04aa": "X1", "04bb": "X2"})
    assert (found.wires, found.buttons) == (RIG.wires, RIG.buttons)
