"""Other people come: the game is left, the names are forgotten, and a new game begins on the cleared table."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.clock import ManualClock
from companion.games.registry import load_game
from companion.session.engine import Engine
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_lines import people_of
from companion.session.stream.commands import Command, NextParty, TableIsRight, Undo
from companion.session.stream.events import NEXT_PARTY, Event, Names, Question
from companion.session.stream.stream import StreamServer
from tests.session.test_new_game_by_key import GAMES, Desk

KIND = GAMES[0]


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    """Anna and Ben are amid a game."""
    desk = Desk(KIND, tmp_path)
    desk.told: list[Event] = []
    noted = desk.stream.send
    desk.stream.send = lambda event, peers=None: (desk.told.append(event), noted(event, peers))
    desk.engine.player_names = ("Anna", "Ben")
    desk.engine.session.name_players(("Anna", "Ben"))
    desk.lay(KIND.seed, 8)
    assert desk.engine.session.table.turn
    yield desk
    desk.engine.close()


def cleared(desk: Desk) -> None:
    """Every card is taken away."""
    from companion.sensing.observation import Sighting

    zones = desk.engine.session.tracker.sensed.zones
    desk.waiting = [Sighting(desk.clock.now(), zone, ()) for zone in zones]
    desk.lasting(3)


def test_a_game_that_is_on_ends_only_for_whoever_was_asked(desk: Desk) -> None:
    desk.press(NextParty())
    assert desk.refused == ["A game is on. Say that it ends here."]
    assert not desk.engine.session.left
    assert desk.engine.player_names == ("Anna", "Ben")


def test_names_go_at_once_and_a_new_game_begins_when_the_table_is_bare(desk: Desk) -> None:
    forgotten: list[bool] = []
    desk.engine._on_party = lambda: forgotten.append(True)
    first = desk.engine.session
    desk.press(NextParty(ends=True))
    assert forgotten
    assert Names(()) in desk.told
    assert desk.engine.welcome()[0].names == ()
    questions = [one for one in desk.told if isinstance(one, Question)]
    assert questions[-1].id == NEXT_PARTY
    assert questions[-1].text == "Next party: clear the table, then lay out the next game."
    assert desk.engine.session is first, "the cards of the old game are no deal of the next one"
    desk.press(Undo())
    assert desk.refused, "nobody plays the game that was left"
    cleared(desk)
    assert desk.engine.session is not first
    desk.lay(KIND.seed + 1, 0)
    assert desk.engine.session.table.turn
    assert not desk.engine.session.left
    desk.engine.close()
    before, after = (read_journal(desk.folder / name) for name in ("game.jsonl", "game-2.jsonl"))
    assert people_of(before.opened, before.lines) == ("Anna", "Ben"), "its result stays theirs"
    assert after.opened.people == people_of(after.opened, after.lines) == ()


def test_whoever_has_laid_out_already_says_so(desk: Desk) -> None:
    desk.press(NextParty(ends=True))
    first = desk.engine.session
    desk.press(TableIsRight(new_game=True))
    assert desk.engine.session is not first
    assert not desk.engine.session.left


def test_a_game_that_was_left_stays_so_when_the_program_is_started_again(desk: Desk) -> None:
    desk.press(NextParty(ends=True))
    desk.engine.close()
    stream: StreamServer[Event, Command] = StreamServer(desk.folder / "again.sock", Command)
    again = Engine(
        load_game(KIND.name),
        KIND.variant,
        2,
        sources=[desk],
        stream=stream,
        journals=desk.folder / "game.jsonl",
        clock=ManualClock(),
        player_names=("Anna", "Ben"),
        resume=True,
    )
    assert again.session.left
    assert again.welcome()[0].names == ()
    again.close()


def test_at_a_bare_table_only_the_names_are_forgotten(tmp_path: Path) -> None:
    desk = Desk(KIND, tmp_path)
    desk.engine.player_names = ("Anna", "Ben")
    desk.engine.session.name_players(("Anna", "Ben"))
    first = desk.engine.session
    desk.press(NextParty())
    assert not desk.refused
    assert desk.engine.session is first
    assert desk.engine.welcome()[0].names == ()
    desk.engine.close()
    assert [path.name for path in tmp_path.glob("*.jsonl")] == ["game.jsonl"]
