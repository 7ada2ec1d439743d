"""The table of rigs: README shows it as it is, and its numbers are of games that add up."""

from pathlib import Path

from companion.games.registry import GAME_NAMES, load_rig_table
from companion.games.sleepless_princess.rig_table import RIG_TABLE, markdown
from companion.rehearse.table_parts import RIGS


def test_readme_shows_the_table_as_it_is() -> None:
    readme = Path(__file__).parent.parent.parent / "README.md"
    assert markdown() in readme.read_text("utf-8"), (
        "put companion.games.sleepless_princess.rig_table.markdown() there"
    )


def test_numbers_are_of_rigs_that_can_be_rehearsed() -> None:
    for row in RIG_TABLE:
        told = row.measured
        assert told.rig in RIGS
        assert 0 <= told.followed <= told.games
        assert told.wrong + told.open_ <= told.claims


def test_every_game_tells_its_rigs_by_its_part_or_has_none() -> None:
    told = {game: load_rig_table(game) for game in GAME_NAMES}
    assert told["sleepless-princess"] == RIG_TABLE
    for rows in told.values():
        for row in rows:
            assert all((row.name, row.parts, row.proves, row.cannot, row.counted))
