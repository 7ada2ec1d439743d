"""Settings: defaults, unknown keys refused, ranges checked, each with where and what next."""

from pathlib import Path

import pytest

from companion.config import Config, load_config
from companion.errors import BadInputError


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
        ('players = "three"', "players"),
        ("assist = 'all'", "assist"),
        ('[stations."bed 1"]\ncard_g = 0', "card_g"),
        ("players = = 3", "TOML"),
    ],
)
def test_mistakes_are_named_with_the_file(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(BadInputError, match=says) as caught:
        load_config(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no such file"):
        load_config(tmp_path / "none.toml")
