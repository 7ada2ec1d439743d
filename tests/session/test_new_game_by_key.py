"""A scored game keeps its result when people say that the table shows a new one."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest

from companion.core.clock import ManualClock
from companion.core.language import localized, speaking, text
from companion.games.registry import load_game
from companion.sensing.observation import Count, Observation, Seen, Sighting
from companion.session.endings.scored_game import CLOSED_S
from companion.session.engine import Engine
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_fold import fold
from companion.session.stream.commands import Command, EndGame, TableIsRight
from companion.session.stream.events import Event, Refused
from companion.session.stream.stream import StreamServer
from companion.virtual.games.sleeping_queens.perfect_camera import PerfectRig as QueensRig
from companion.virtual.games.sleeping_queens_2.perfect_camera import PerfectRig as Queens2Rig
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig as PrincessRig
from tests.bridges.served import served
from tests.support import sleeping_queens, sleeping_queens_2, sleepless


class Kind(NamedTuple):
    name: str
    variant: str
    walk: Any
    rig: Any
    seed: int


GAMES = (
    Kind("sleeping-queens", "basic", sleeping_queens.walk, QueensRig, 5),
    Kind("sleeping-queens-2", "standard", sleeping_queens_2.walk, Queens2Rig, 5),
    Kind("sleepless-princess", "basic", sleepless.walk, PrincessRig, 5),
)


def table_after(kind: Kind, seed: int, steps: int | None) -> tuple[Any, list[list[Observation]]]:
    """The state after `steps` of a game (None: all), and what lies where at that time; a deal in its order."""
    game = load_game(kind.name)
    rig = kind.rig(game.cards(kind.variant), Random(seed))
    lying: dict[str, Observation] = {}
    if steps == 0:
        before = next(kind.walk(kind.variant, 2, seed))[0]
        return before, [list(batch) for batch in rig.setup(before)]

    def keep(batches: Iterator[Any]) -> None:
        for batch in batches:
            for seen in batch:
                if isinstance(seen, Sighting):
                    lying[seen.zone] = seen
                elif isinstance(seen, Count):
                    lying[seen.station] = seen

    state = None
    for number, (before, action, after) in enumerate(kind.walk(kind.variant, 2, seed)):
        if number == 0:
            keep(rig.setup(before))
            state = before
        if number == steps:
            break
        keep(rig.notice(before, action, after))
        state = after
    return state, [list(lying.values())]


class Desk:
    """An engine of a game for two, and what its only source says next."""

    finished, ready = False, True

    def __init__(self, kind: Kind, folder: Path) -> None:
        self.kind, self.folder, self.clock = kind, folder, ManualClock()
        self.waiting: list[Observation] = []
        self.refused: list[str] = []
        self.path = folder / "s.sock"
        self.stream: StreamServer[Event, Command] = StreamServer(self.path, Command)
        self.engine = Engine(
            load_game(kind.name),
            kind.variant,
            2,
            sources=[self],
            stream=self.stream,
            journals=folder / "game.jsonl",
            clock=self.clock,
        )
        self.stream.send = self._noted

    def _noted(self, event: Event, _peers: Any = None) -> None:
        self.refused += [event.text] if isinstance(event, Refused) else []

    def poll(self) -> list[Observation]:
        said, self.waiting = self.waiting, []
        return said

    def close(self) -> None:
        pass

    def lasting(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.5)):
            self.clock.sleep(0.5)
            self.engine.round()

    def lay(self, seed: int, steps: int | None) -> Any:
        """The table of a game after so many steps lies there; returns its state."""
        state, batches = table_after(self.kind, seed, steps)
        for batch in batches:
            self.waiting = [msgspec.structs.replace(seen, t=self.clock.now()) for seen in batch]
            self.lasting(1)
        return state

    async def run(self) -> None:
        """Serve screens that are connected."""
        del self.stream.send
        while True:
            self.engine.round()
            await asyncio.sleep(0.005)

    def press(self, command: Command) -> None:
        self.engine.obey([(None, command)])
        self.lasting(1)


@pytest.fixture(params=GAMES, ids=[kind.name for kind in GAMES])
def over(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """A scored game whose table was cleared unseen: the next one lies there, a few moves old."""
    desk = Desk(request.param, tmp_path)
    desk.lay(request.param.seed, 0 if request.param.rig is PrincessRig else None)
    desk.press(EndGame())
    desk.lasting(CLOSED_S)
    assert desk.engine.session.over
    yield desk
    desk.engine.close()


def result_of(desk: Desk, file: str) -> Any:
    game, recorded = load_game(desk.kind.name), read_journal(desk.folder / file)
    return game.outcome(fold(game, recorded.opened, recorded.lines).state)


@pytest.mark.quick(1)
def test_a_new_game_is_taken_over_and_the_old_result_stays(over: Desk) -> None:
    first = over.engine.session
    result = over.engine.session.game.outcome(first.tracker.state)
    truth = over.lay(6, 0 if over.kind.rig is PrincessRig else 12)
    assert over.engine.session is first
    over.press(TableIsRight(2, new_game=True))
    second = over.engine.session
    assert second is not first
    assert not second.over
    if over.kind.rig is PrincessRig:
        # Who stands behind the beds no camera sees.
        for bed, princess in enumerate(truth.princesses):
            over.waiting = [Sighting(over.clock.now(), f"bed {bed + 1}", (Seen(f"P{princess}A", 0, 0),))]
            over.lasting(1)
        over.press(TableIsRight(2))
    assert second.tracker.differences() == ()
    game = over.engine.session.game
    shown = [game.expected_view(state).zones for state in (second.tracker.state, truth)]
    assert shown[0] == shown[1]
    assert second.table.player == 2
    over.engine.close()
    assert result_of(over, "game.jsonl") == result
    assert result_of(over, "game-2.jsonl") is None


@pytest.mark.long
def test_a_final_result_is_not_taken_away_by_who_was_not_asked(over: Desk) -> None:
    first = over.engine.session
    result = over.engine.session.game.outcome(first.tracker.state)
    over.lay(6, 0 if over.kind.rig is PrincessRig else 12)
    over.press(TableIsRight(2))
    assert "keeps its result" in over.refused[-1]
    assert over.engine.session is first
    assert over.engine.session.game.outcome(first.tracker.state) == result


@pytest.mark.quick(1)
async def test_of_two_phones_that_begin_a_new_game_at_once_one_is_told_why_it_did_not(over: Desk) -> None:
    first = over.engine.session
    over.lay(6, 0 if over.kind.rig is PrincessRig else 12)
    async with served(over.folder, engine=over, control=True) as table:
        page = json.loads((await table.get("state"))[1])
        begin = page["new_game"]["answers"][1]["send"]
        ways = ("command", "command?language=fr")
        told = [json.loads(body) for _, body in await asyncio.gather(*(table.post(way, begin) for way in ways))]
        refused = text("The game that I follow is not over.")
        with speaking("fr"):
            either = {refused, localized(refused)}
        assert {""} < {one["refused"] for one in told} <= {"", *either}
        second = over.engine.session
        assert second is not first
        async with table.following() as follower:
            page = await follower.page(lambda page: not page["score"])
        assert page["new_game"] is None
    assert over.engine.session is second
    assert sorted(file.name for file in over.folder.glob("*.jsonl")) == ["game-2.jsonl", "game.jsonl"]


def test_no_game_is_closed_that_is_not_over(tmp_path: Path) -> None:
    desk = Desk(GAMES[0], tmp_path)
    desk.lay(6, 12)
    first = desk.engine.session
    desk.press(TableIsRight(2, new_game=True))
    assert desk.engine.session is first
    assert "not over" in desk.refused[-1]
    desk.engine.close()
