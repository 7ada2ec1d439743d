"""A game of which companion knows only its folder goes through every command: `tests/support/pairs_game`."""

import contextlib
import json
import os
import pty
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import cli
from companion.core.errors import BadInputError
from companion.games import registry
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_lines import Done
from companion.virtual.rig.rig_plan import RigPlan
from tests.support.pairs_game.game import GAME, KINDS, NAMES, UNKNOWN, Call, Cover, Flip, State
from tests.support.pairs_game.players.policies import Attentive
from tests.support.pairs_game.players.simulation import play_out
from tests.support.pairs_game.virtual import VIRTUAL

ROOT = Path(__file__).parents[2]
ENTRY = ("tests.support.pairs_game.game", "Pairs")
PATIENCE_S = 90
"""PATIENCE_S: longest time (s) in which nothing is written into a journal, before a game is given up."""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(registry._GAMES, "pairs", ENTRY)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


def run(*arguments: object) -> Result:
    """A command of this process, which knows the game by its line in the registry."""
    return CliRunner().invoke(cli, [*map(str, arguments)], catch_exceptions=True)


def answer(*arguments: object) -> dict[str, Any]:
    """The JSON object that a command prints."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_the_rules_agree_with_their_notation_and_hide_what_nobody_saw() -> None:
    for seed in range(50):
        chance = Random(seed)
        for before, action, after in play_out(GAME.setup("tiny", 2, chance), Attentive(0.5), chance):
            assert GAME.read_action(GAME.write_action(action)) == action
            assert GAME.read_state(GAME.write_state(after)) == after
            assert action in GAME.legal_actions(before)
            told = [kind for at, kind in enumerate(GAME.view(after, None)["seen"]) if at not in after.seen]
            assert set(told) <= {UNKNOWN}
        assert after.points[0] + after.points[1] >= len(KINDS)


def test_a_call_is_judged_by_what_lay_open() -> None:
    state = GAME.apply(State(), Flip(0, "sun"))
    assert GAME.judge(state, 1).verdict.value == "cannot tell"
    state = GAME.apply(GAME.apply(state, Flip(1, "moon")), Cover())
    state = GAME.apply(state, Flip(2, "sun"))
    assert (GAME.judge(state, 0).verdict.value, GAME.judge(state, 1).verdict.value) == ("proved", "refuted")
    assert GAME.apply(GAME.apply(state, Call(0)), Flip(0, "sun")).points == (0, 2)


def test_simulate_plays_it() -> None:
    told = answer("simulate", "--game", "pairs", "--players", 2, "--games", 200, "--seed", 3)
    assert told == answer("simulate", "--game", "pairs", "--players", 2, "--games", 200, "--seed", 3)
    assert (told["game"], told["games"]) == ("pairs", 200)
    assert told["mean_steps"] > 4
    refused = run("simulate", "--game", "pairs", "--players", 3).exception
    assert isinstance(refused, BadInputError)


@pytest.mark.long
def test_rehearse_follows_it_through_observations() -> None:
    way = ("rehearse", "--game", "pairs", "--through", "observations", "--seed", 16, "--jobs", 1)
    told = answer(*way, "--games", 8)
    assert (told["games_matching_truth"], told["wrong_verdicts"], told["unjudged"]) == (8, 0, 0)
    assert told["claims"] > 6
    # Some calls are of cards that nobody has seen; the rest is settled by memory.
    assert 0 < told["cannot_tell"] < told["claims"] / 2
    rough = answer(*way, "--games", 3, "--noise", "rough")
    assert rough["wrong_verdicts"] == 0
    assert rough["games_matching_truth"] >= 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("rig", "cards", "mat"),
    [("camera", "stickers", "printed"), ("full", "stickers", "printed"), ("camera", "art", "corners")],
)
def test_rehearse_follows_it_through_pixels(rig: str, cards: str, mat: str) -> None:
    """Calls are keys where there is a camera alone, else buttons of a board with the names of its places."""
    looks = ("--cards", cards, "--mat", mat)
    way = ("--through", "pixels", "--rig", rig, *looks, "--games", 1, "--seed", 15, "--jobs", 1)
    told = answer("rehearse", "--game", "pairs", *way)
    assert (told["games_matching_truth"], told["wrong_verdicts"], told["unjudged"]) == (1, 0, 0)
    assert told["claims"] > 0


@pytest.mark.long
def test_rehearse_follows_it_through_bytes() -> None:
    told = answer("rehearse", "--game", "pairs", "--through", "bytes", "--games", 3, "--seed", 0, "--jobs", 1)
    assert (told["games_matching_truth"], told["wrong_verdicts"], told["unjudged"]) == (3, 0, 0)
    assert told["claims"] > 0
    assert told["events_lost"] == 0


def test_a_board_gets_the_names_of_a_games_stations() -> None:
    rig = VIRTUAL.rig("tiny").board_rig()
    assert [station["name"] for station in rig["stations"]] == [*NAMES, "pad"]
    assert all(station["button"] for station in rig["stations"][:-1])
    with pytest.raises(ValueError, match="a board has 5 stations with a load cell, not 6"):
        RigPlan(stations=tuple("abcdef")).board_rig()


def test_a_recorded_game_is_replayed_explained_and_without_hints(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    way = ("--through", "observations", "--games", 1, "--seed", 5, "--record", folder)
    assert answer("rehearse", "--game", "pairs", *way)["games_matching_truth"] == 1
    journal = folder / "journal.jsonl"
    told = answer("replay", journal)
    assert (told["game"], told["matches"], told["over"]) == ("pairs", True, True)
    damaged = answer("replay", journal, "--damage", "lossy")
    assert {one["sensor"] for one in damaged["runs"]} == {"camera", "board", "buttons"}
    assert damaged["undamaged"]["wrong"] == 0
    assert answer("why", "--place", 1, "--game", journal)["place"] == "place 1"
    refused = run("hint", journal).exception
    assert isinstance(refused, BadInputError)
    assert "no hints for pairs" in str(refused)


@pytest.fixture
def everywhere(tmp_path: Path) -> dict[str, str]:
    """An environment in which every process has the game in its registry."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        f"import companion.games.registry as registry\nregistry._GAMES['pairs'] = {ENTRY!r}\n"
    )
    return {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "TERM": "xterm-256color"}


def play(environment: dict[str, str], arguments: Sequence[str], journal: Path) -> str:
    """`companion play` in a terminal until the journal's game is over, then q; what was on the terminal."""
    pid, terminal = pty.fork()
    if not pid:
        os.execve(sys.executable, [sys.executable, "-m", "companion", "play", *arguments], environment)
    shown, until, pressed_at, size = b"", time.monotonic() + PATIENCE_S, 0.0, 0
    with contextlib.suppress(OSError):  # the far end closes a terminal with an error
        while time.monotonic() < until:
            if select.select([terminal], [], [], 0.2)[0]:
                more = os.read(terminal, 65536)
                if not more:
                    break
                shown += more
            if journal.exists() and journal.stat().st_size > size:
                until, size = time.monotonic() + PATIENCE_S, journal.stat().st_size
            # The score closes with any key; then q asks, and q leaves.
            if time.monotonic() - pressed_at > 1.0 and over(journal):
                pressed_at = time.monotonic()
                os.write(terminal, b"q")
    if time.monotonic() >= until:
        os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    return shown.decode(errors="replace")


def over(journal: Path) -> bool:
    """Whether the recorded game has ended."""
    if not journal.exists() or not journal.stat().st_size:
        return False
    state = State()
    for line in read_journal(journal).lines:
        if isinstance(line, Done):
            state = GAME.apply(state, GAME.read_action(line.a))
    return GAME.outcome(state) is not None


@pytest.mark.long
def test_play_shows_it_and_its_journal_is_replayed(everywhere: dict[str, str], tmp_path: Path) -> None:
    journal = tmp_path / "one.jsonl"
    way = ["--game", "pairs", "--players", "2", "--speed", "8", "--seed", "15", "--journal", str(journal)]
    shown = play(everywhere, way, journal)
    assert over(journal), shown[-2000:]
    left = shown.rpartition("\x1b[?1049l")[2]
    assert "The points are" in left
    assert f"Recorded:{journal}" in "".join(left.split()), "wherever its line breaks"
    told = answer("replay", journal)
    assert (told["matches"], told["over"]) == (True, True)


def test_a_folder_without_a_part_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.commands.simulate.load_part", lambda _name, _part: None)
    refused = run("simulate", "--game", "pairs", "--players", 2).exception
    assert isinstance(refused, BadInputError)
    assert "nobody plays pairs by themselves" in str(refused)
