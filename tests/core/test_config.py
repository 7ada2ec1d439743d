"""Settings: defaults, unknown keys refused, ranges checked, each with where and what next."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core import language
from companion.core.config import Config, load_config, make_runtime_dir, runtime_dir
from companion.core.errors import BadInputError
from companion.core.settings_file import write_entries


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "companion.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_is_not_set_has_its_default(tmp_path: Path) -> None:
    config = load_config(written(tmp_path, 'variant = "5+"\n[stations."bed 1"]\ncard_g = 3.5\n'))
    assert config.variant == "5+"
    assert config.players == Config().players
    assert config.stations["bed 1"].card_g == 3.5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour = 1", "colour"),
        ('players = "three"', "players: a whole number is wanted, not 'three'"),
        ("[screen]\ncolour = 1", "there is no setting screen.colour"),
        ("assist = 'all'", "assist must be referee, memory, nudge or coach"),
        ('[stations."bed 1"]\ncard_g = 0', "card_g"),
        *((f'[stations."bed 1"]\nzero_g = {wrong}', "zero_g must be") for wrong in ("nan", "-inf", "1e300")),
        ('[stations."bed 1"]\ncard_g = nan', "card_g must be"),
        ("players = = 3", "TOML"),
    ],
)
def test_mistakes_are_named_with_the_file(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInputError, match=says) as caught:
        load_config(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_in_other_letters_is_to_be_saved_anew(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(b'player_names = ["R\xf9di"]')
    with pytest.raises(BadInputError, match="not UTF-8; save the file again, as UTF-8"):
        load_config(path)


def test_settings_that_the_system_keeps_back_are_no_bad_toml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").touch()
    with pytest.raises(
        BadInputError, match=r"cannot be read \(Not a directory\); check the name and permissions$"
    ):
        load_config(tmp_path / "a file" / "companion.toml")
    closed = tmp_path / "closed" / "companion.toml"

    def refused(path: Path, **_how: object) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refused)  # as in a folder of somebody else's
    with pytest.raises(BadInputError, match=r"cannot be read \(Permission denied\)"):
        load_config(closed)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_byte_order_mark_is_no_mistake(tmp_path: Path, end: str) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(f'\ufefflanguage = "de"{end}players = 4{end}'.encode())
    assert load_config(path).language == "de"
    before = path.read_text()
    write_entries(path, {("language",): "fr"})
    assert path.with_name("companion.toml.before").read_text() == before
    settings = load_config(path)
    assert (settings.language, settings.players) == ("fr", 4)
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}, "they name people"


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such file; check --config"):
        load_config(tmp_path / "none.toml")


def runtime_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, xdg: bool) -> Path:
    """Where the folder for sockets has to be, with a runtime directory of the system or without."""
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    if xdg:
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path / ("companion" if xdg else f"companion-{os.getuid()}")


@pytest.mark.parametrize("xdg", [True, False])
def test_the_folder_for_sockets_is_made_for_its_owner_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, xdg: bool
) -> None:
    folder = runtime_at(monkeypatch, tmp_path, xdg=xdg)
    assert runtime_dir() == folder
    assert not folder.exists(), "to ask where it is makes nothing"
    old = os.umask(0)
    try:
        assert make_runtime_dir() == make_runtime_dir() == runtime_dir() == folder
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def _elsewhere(folder: Path) -> None:
    other = folder.with_name("other")
    other.mkdir(mode=0o700)
    folder.symlink_to(other)


@pytest.mark.parametrize("xdg", [True, False])
@pytest.mark.parametrize(
    ("lay", "says"),
    [
        (lambda folder: (folder.mkdir(), folder.chmod(0o777)), "open to other users; chmod 700 "),
        (lambda folder: (folder.mkdir(), folder.chmod(0o720)), "open to other users"),
        (_elsewhere, "a link to another place; remove it"),
        (lambda folder: folder.write_text(""), "not a folder; remove it"),
        (lambda folder: folder.symlink_to("nowhere"), "a link to another place"),
    ],
)
def test_a_folder_for_sockets_that_others_may_write_to_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, xdg: bool, lay: Callable[[Path], object], says: str
) -> None:
    folder = runtime_at(monkeypatch, tmp_path, xdg=xdg)
    lay(folder)
    for look in (runtime_dir, make_runtime_dir):
        with pytest.raises(BadInputError, match=says) as caught:
            look()
        assert str(folder) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_folder_for_sockets_that_others_may_only_look_into_is_closed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Older versions made it so."""
    folder = runtime_at(monkeypatch, tmp_path, xdg=False)
    folder.mkdir(mode=0o755)
    assert make_runtime_dir() == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_for_sockets_of_another_user_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = runtime_at(monkeypatch, tmp_path, xdg=True)
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(BadInputError, match="a folder of another user; set XDG_RUNTIME_DIR"):
        make_runtime_dir()


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("assist = 'all'", "assist muss referee, memory, nudge oder coach sein"),
        ("[screen]\ntheme = 'pink'", "theme muss night, day oder contrast sein"),
        ('[stations."bed 1"]\ncard_g = 0', "card_g muss zwischen"),
        ("players = 'three'", "players: erwartet ist eine ganze Zahl, nicht 'three'"),
    ],
)
def test_mistakes_are_named_in_the_readers_language(tmp_path: Path, setting: str, says: str) -> None:
    with pytest.raises(BadInputError) as caught:
        load_config(written(tmp_path, setting))
    with language.speaking("de"):
        assert says in language.localized(caught.value.told)
