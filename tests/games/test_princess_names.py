"""Princesses whom the rulebook does not name bear the family's names, on screens, in hints and in the story."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from companion.advice.sleepless_princess import answer
from companion.commands.hint import hint
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.games.registry import give_names, load_game
from companion.games.sleepless_princess.public_screen import screen
from companion.games.sleepless_princess.rules.actions import Seat
from companion.games.sleepless_princess.rules.card_kinds import princess_names
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.wording import message
from companion.session.journal.journal import Journal, read_journal
from companion.session.session import Session
from companion.session.stream.commands import AskHint
from tests.support.hinting import WatchedGame

GAME = load_game(RULES.name)


@pytest.fixture(autouse=True)
def nameless() -> Iterator[None]:
    yield
    give_names(GAME, ())


def test_nobody_is_given_a_name_that_nobody_chose() -> None:
    assert princess_names()[5:7] == ("Teddy Bear", "Princess 7")
    give_names(GAME, ("Clouds",))
    assert princess_names()[5:8] == ("Teddy Bear", "Clouds", "Princess 8")


def test_screens_story_cards_and_hints_use_the_names() -> None:
    give_names(GAME, ("Clouds", "Kites", "Foxes", "Moons"))
    dealt = RULES.setup("5+", 2, Random(1), princesses=(6, 7, 8, 9))
    assert [place["name"] for place in screen(dealt, "")["places"]] == ["Clouds", "Kites", "Foxes", "Moons"]
    empty = RULES.empty_table("5+", 2)
    assert message(empty, Seat(0, 7), RULES.apply(empty, Seat(0, 7))).text == "Bed 1 belongs to Kites."
    assert "Foxes mattress" in {card.name for card in GAME.cards("basic")}
    hints = answer(WatchedGame(dealt).session.statements.recorded, AskHint("memory")).hints
    assert [one.text for one in hints] == [f"Nothing is known of {name}." for name in princess_names()[6:]]


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (("a", "b", "c", "d", "e"), "5 names of princesses, 4 are wanted at most"),
        (("Bats",), "the same name"),
        (("Clouds", "Clouds"), "the same name"),
        (("",), "1 to 12"),
        (("Thirteen signs",), "1 to 12"),
        (("\x1b[41m",), "1 to 12"),
    ],
)
def test_names_that_cannot_be_are_refused(names: tuple[str, ...], says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        give_names(GAME, names)
    assert princess_names()[6] == "Princess 7"


def test_the_journal_keeps_the_names(tmp_path: Path) -> None:
    """Another program reads them there: `companion hint` of a journal says what the screen said."""
    dealt = RULES.setup("5+", 2, Random(1), princesses=(6, 7, 8, 9))
    path = tmp_path / "game.jsonl"
    watched = WatchedGame(dealt, journal=path)
    watched.close()
    recorded = read_journal(path)
    path.unlink()
    journal = Journal(path, sync=False)
    journal.write([msgspec.structs.replace(recorded.opened, names=("Clouds",)), *recorded.lines])
    journal.close()
    told = CliRunner().invoke(hint, [str(path), "--level", "memory"]).stdout
    assert told.splitlines()[:2] == ["Nothing is known of Clouds.", "Nothing is known of Princess 8."]


def test_a_session_writes_the_names_of_the_settings() -> None:
    session = Session(GAME, "5+", 2, clock=ManualClock(), publish=lambda _: None, names=("Clouds",))
    assert session.statements.recorded.opened.names == ("Clouds",)
