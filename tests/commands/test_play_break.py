"""A break in `companion play` for a step of setup."""

from typing import Any, NoReturn

import pytest

from companion.commands import setup
from companion.commands.play_break import mend
from companion.core.errors import SourceError


def test_a_game_outlives_a_break_in_which_a_part_is_gone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unplugged(*_given: Any, **_options: Any) -> NoReturn:
        raise SourceError("the camera is gone", where="/dev/video0")

    monkeypatch.setattr(setup, "real_run", unplugged)
    given = dict.fromkeys(("game", "variant", "camera", "port"))
    assert not mend("camera", None, None, given, "night", None)
    assert "the camera is gone" in capsys.readouterr().err
