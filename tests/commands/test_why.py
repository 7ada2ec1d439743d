"""Why a bed is believed to hold what it does: signs, their strength, what is missing, what else is possible."""

import asyncio
import re
from itertools import islice
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.core import language
from companion.core.errors import BadInputError
from companion.dashboard.screens.why_screen import WhyView
from companion.fusion.detections import Detection
from companion.fusion.explain.reasons import _loose, odds, places_of, strength, why, why_lines
from companion.fusion.parameters.sign_models import SIGN_MODELS
from companion.fusion.tracker import Tracker
from companion.games.signs import Sign
from companion.games.sleepless_princess.terms import mattress
from companion.sensing.observation import Count, Seen, Sighting
from companion.sensing.observation import Touch as TouchSeen
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import VERSION, Observed, Opened
from companion.session.journal.journal_order import newest_journal
from companion.session.stream.commands import AskWhy, OperatorCommand
from companion.session.stream.events import Explained, Table
from tests.dashboard.test_dashboard_app import TABLE, End, desk
from tests.session.test_journal import recorded_game
from tests.support.observed import GAME, ObservedGame
from tests.support.queens_game.game import GAME as QUEENS


def started(seed: int = 3) -> ObservedGame:
    game = ObservedGame(seed)
    game.set_up()
    return game


def checking(game: ObservedGame) -> float:
    """Three cards are played; the time after that."""
    t = game.rig.t
    cards = tuple(Seen(code, 0, 0) for code in ("H03A", "H03B", "H03C"))
    game.tracker.feed(t + 1, [Sighting(t + 1, "play", cards)])
    return t + 1


def test_each_card_has_the_signs_that_brought_it_there() -> None:
    game = started()
    found = why(game.tracker, "bed 1")
    names = [mattress(game.state.faces[slot]) for slot in game.state.beds[0]]
    assert [card.name for card in found.cards] == names
    assert found.sure > 0.99
    assert found.claim.startswith("A claim would be")
    for card in found.cards:
        (dealt,) = card.reasons
        assert [(sign.sensor, sign.nats > 0) for sign in dealt.signs] == [
            ("the reader at the pad", True),
            ("the pressure matrix at the pad", True),
            ("the scale of bed 1", True),
        ]
    assert found.unheard == ()


def test_a_moved_card_takes_its_history_along_and_those_it_left_behind_keep_theirs() -> None:
    game = started()
    t = checking(game)
    bottom = why(game.tracker, "bed 1").cards[0]
    game.tracker.feed(t + 1, [TouchSeen(t + 1, "bed 1", True), TouchSeen(t + 1, "bed 1", False)])
    game.tracker.feed(t + 2, [Count(t + 2, "bed 1", 2, 2.0)])
    game.tracker.feed(t + 4, [Count(t + 4, "bed 4", 4, 4.0)])
    moved = why(game.tracker, "bed 4").cards[-1]
    assert moved.name == bottom.name
    assert moved.reasons[0] == bottom.reasons[0]
    assert [sign.sensor for sign in moved.reasons[1].signs if sign.t is not None] == [
        "the scale of bed 1",
        "the scale of bed 4",
    ]
    # It did not come by the pad, which may be so, and speaks a little against it.
    missing = [(sign.sensor, sign.nats) for sign in moved.reasons[1].signs if sign.t is None]
    assert missing == [("the reader at the pad", pytest.approx(-0.36, abs=0.01))]
    assert [len(card.reasons) for card in why(game.tracker, "bed 1").cards] == [1, 1]


def test_what_else_is_possible_says_what_speaks_against_it() -> None:
    game = started()
    t = checking(game)
    game.tracker.feed(t + 1, [TouchSeen(t + 1, "bed 1", True), TouchSeen(t + 1, "bed 1", False)])
    # It is laid back and taken up again: perhaps it stayed, and two scales were restless.
    for at, n in ((2, 2), (3.5, 3), (5, 2)):
        game.tracker.feed(t + at, [Count(t + at, "bed 1", n, float(n))])
    game.tracker.feed(t + 6, [Count(t + 6, "bed 4", 4, 4.0)])
    game.tracker.feed(t + 8, [])
    found = why(game.tracker, "bed 1")
    assert found.alternatives
    assert all(0 < one.nats <= 9 for one in found.alternatives)
    assert [one.nats for one in found.alternatives] == sorted(one.nats for one in found.alternatives)
    stayed = next(one for one in found.alternatives if len(one.lies) == 3)
    assert any("scale of bed 4" in text for text in (*stayed.loose, *stayed.against))
    assert 0.5 < found.sure < 1
    text = "\n".join(why_lines(found))
    assert "weaker by" in text
    assert "contradicts" in text or "leaves without a cause" in text


@pytest.mark.parametrize(
    ("nats", "words", "ratio"),
    [(0.1, "hardly anything", "about 1 to 1"), (2.0, "weak", "about 7 to 1"), (4.5, "fair", "about 90 to 1"),
     (-5.3, "strong", "about 200 to 1"), (9.0, "very strong", "about 8000 to 1")],
)  # fmt: skip
def test_nats_in_words(nats: float, words: str, ratio: str) -> None:
    assert (strength(nats), odds(nats)) == (words, ratio)


@pytest.mark.long
def test_the_command_reads_a_journal_or_the_one_written_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    run = CliRunner().invoke
    nothing = run(cli, ["why", "--place", "1"])
    assert isinstance(nothing.exception, BadInputError)
    journal = tmp_path / "companion" / "journals" / "game.jsonl"
    recorded_game(journal, most=5)
    recorded = read_journal(journal)
    state = fold(GAME, recorded.opened, recorded.lines).state
    assert newest_journal() == journal
    named, last = (
        run(cli, ["why", "--place", "2", *more, "--json"]) for more in ((), ("--game", f"{journal}"))
    )
    assert named.stdout == last.stdout
    found = msgspec.json.decode(named.stdout)
    names = [name for _, name in GAME.hidden_layout(state)["bed 2"]]
    assert names
    assert [card["name"] for card in found["cards"]] == names
    assert "Not for players" in run(cli, ["why", "--place", "2"]).output
    assert isinstance(run(cli, ["why", "--place", "6"]).exception, BadInputError)


@pytest.mark.long
def test_the_command_has_names_of_players_and_of_cards_in_the_kept_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "companion.toml"
    settings.write_text('language = "de"', encoding="utf-8")
    monkeypatch.setattr("companion.core.config.config_file", lambda: settings)
    monkeypatch.delenv(language.CHOSEN, raising=False)
    journal = tmp_path / "game.jsonl"
    recorded_game(journal, most=40)
    recorded = read_journal(journal)
    named = tmp_path / "named.jsonl"
    again = Journal(named)
    again.write([msgspec.structs.replace(recorded.opened, people=("Anna", "Ben", "Cleo")), *recorded.lines])
    again.close()
    run = CliRunner().invoke
    try:
        told = [run(cli, ["why", "--place", str(place), "--game", str(named)]).output for place in (1, 2, 3)]
    finally:
        language.use(language.ENGLISH)
    assert "letzten Zeile" in told[0]
    whole = "\n".join(told)
    assert "Player " not in whole
    assert any(f"{name} " in whole for name in ("Anna", "Ben", "Cleo"))
    assert re.search(r"Codes zählen ab 0: \d[st] ", whole)
    assert "die Waage (Bett 1) hat eine Karte dazubekommen: stark, etwa" in told[0]
    english = ("card", "nats", "against", "scale", "reader", "Or ", "then", "Nothing", "bed ", "claim")
    assert not [word for word in english if word in whole], whole


def test_a_game_without_beds_says_its_places_and_what_lies_there() -> None:
    tracker = Tracker(QUEENS, "tiny", QUEENS.empty_table("tiny", 2))
    assert places_of(tracker) == ("queen 1", "queen 2", "queen 3")
    found = why(tracker, "queen 2")
    assert [card.name for card in found.cards] == ["Cat Queen"]
    assert found.claim == "", "nothing is claimed in this game"
    assert why_lines(found)[0] == "queen 2: 1 card, 100.0% of what is possible agrees."
    assert found.unheard == (), "it has no scale and no reader that could be missed"


def test_the_command_asks_a_game_without_beds_for_its_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.session.journal.journal_replay.load_game", lambda _name, _parts: QUEENS)
    path = tmp_path / "queens.jsonl"
    journal = Journal(path)
    journal.write([Opened(VERSION, "queens", "tiny", 2, "0"), Observed(1.0, ())])
    journal.close()
    shown = CliRunner().invoke(cli, ["why", "--place", "3", "--game", str(path)], catch_exceptions=False)
    assert "queen 3: 1 card" in shown.output
    # A wrong place is refused before the game is relived, however long it is.
    monkeypatch.setattr("companion.commands.why.follow", Mock(side_effect=AssertionError))
    refused = CliRunner().invoke(cli, ["why", "--place", "4", "--game", str(path)]).exception
    assert isinstance(refused, BadInputError)
    assert "1 queen 1, 2 queen 2, 3 queen 3" in str(refused)


async def test_the_view_names_the_places_that_the_engine_names(tmp_path: Path) -> None:
    async with desk(tmp_path, app=WhyView(tmp_path / "e")) as one:
        end = End(tmp_path / "e", OperatorCommand, (TABLE,))
        one.ends.append(end)
        await one.until(lambda: AskWhy(1) in end.told)
        end.server.send(Explained(1, ("queen 1: 1 card",), ("queen 1", "queen 2")))
        await one.shows("WHY: QUEEN 1")
        await one.shows("1 to 2: another place")


async def test_the_view_has_a_terminal_of_its_own_and_asks_anew_when_the_table_changes(tmp_path: Path) -> None:
    async with desk(tmp_path, app=WhyView(tmp_path / "e")) as one:
        await one.shows("No engine answers")
        end = End(tmp_path / "e", OperatorCommand, (TABLE,))
        one.ends.append(end)
        await one.until(lambda: AskWhy(1) in end.told)
        asked = len(end.told)
        end.server.send(Explained(1, ("bed 1: 3 cards",)))
        await one.shows("bed 1: 3 cards")
        await one.shows("not for players")
        await one.press("3")
        await one.until(lambda: end.told[-1] == AskWhy(3))
        end.server.send(Explained(1, ("late",)))
        end.server.send(Explained(3, ("bed 3: empty",)))
        await one.shows("bed 3: empty")
        end.server.send(msgspec.structs.replace(TABLE, turn=9))
        await one.until(lambda: len(end.told) > asked + 1 and end.told[-1] == AskWhy(3))
        assert isinstance(TABLE, Table)
        await one.press("q")
        await asyncio.sleep(0)
        await one.until(lambda: not one.app.is_running)


@pytest.mark.parametrize("verb", sorted(verb for verb, row in SIGN_MODELS.items() if row.sensor))
def test_every_sign_that_can_be_seen_has_words(verb: str) -> None:
    """One without would stop the engine when somebody asks."""
    game = started()
    game.tracker.sensed.detections.append(Detection(10_000, game.rig.t, Sign(verb, "bed 1", ("3",))))
    assert list(_loose(game.tracker, game.tracker.hypotheses[0][1]))[-1]


@pytest.mark.long
@pytest.mark.parametrize(("variant", "actions"), [("basic", 10), ("5+", 16)])
def test_whatever_was_seen_in_a_game_has_words(variant: str, actions: int) -> None:
    """Half of the signs of cards go by unexplained and a scale is restless, so that other explanations are
    carried too."""
    game = ObservedGame(11, variant)
    game.set_up()
    alternatives = 0
    for _ in islice(game.play_on(), actions):
        game.feed([Sighting(game.rig.t, "row", tuple(Seen(code, 0, 0) for code in game.rig.row[1:]))])
        for more in (1, 0):
            lies = [len(bed) for bed in game.state.beds]
            game.feed([Count(game.rig.t, "bed 1", lies[0] + more, float(lies[0] + more))])
            game.feed([Count(game.rig.t, "bed 2", lies[1] - more, float(lies[1] - more))])
        for bed in range(len(game.state.beds)):
            alternatives += len(why(game.tracker, f"bed {bed + 1}").alternatives)
        game.feed([Sighting(game.rig.t, "row", tuple(Seen(code, 0, 0) for code in game.rig.row))])
    assert alternatives
