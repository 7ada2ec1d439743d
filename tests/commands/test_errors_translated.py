"""Errors that a family meets are told in its language: what is missing, and the next step."""

import errno
import sys
from pathlib import Path

import pytest

from companion import cli
from companion.core import language
from companion.core.clock import ManualClock
from companion.core.errors import CompanionError
from companion.sensing.board_words import parts_of
from companion.sensing.vision_words import in_words
from firmware.host.ports import explain
from vision.camera.open_camera import open_camera


def test_a_missing_camera_is_told_in_the_readers_language(tmp_path: Path) -> None:
    with pytest.raises(CompanionError) as missing, in_words():
        open_camera(str(tmp_path / "none"), ManualClock())
    assert str(missing.value).endswith("or csi")
    language.use("fr")
    told = language.localized(missing.value.told)
    assert "cette caméra, ce fichier ou ce dossier n’existe pas" in told
    assert told.endswith("un dossier d’images ou csi")


@pytest.mark.parametrize("code", ["de", "fr", "it"])
@pytest.mark.parametrize("number", [errno.ENOENT, errno.EACCES, errno.EBUSY, errno.EIO])
def test_what_is_wrong_with_a_port_is_told_in_the_readers_language(number: int, code: str) -> None:
    what, step = parts_of(explain(OSError(number, "as the system says")))
    language.use(code)
    assert language.localized(what) != str(what)
    assert language.localized(step) != str(step)


def test_the_command_line_complains_in_the_language_of_the_system(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))  # no language was kept
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", language.CHOSEN):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_CH.UTF-8")
    monkeypatch.setattr(sys, "argv", ["companion", "replay", "/dev/null/none.jsonl"])
    with pytest.raises(SystemExit):
        cli.main()
    assert "prüfe den Pfad" in capsys.readouterr().err


def test_a_press_is_asked_for_in_the_chosen_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["companion", "press", "zz", "--language", "de"])
    with pytest.raises(SystemExit):
        cli.main()
    assert "wähle" in capsys.readouterr().err
