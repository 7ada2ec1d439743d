"""Cards that are turned up after a verdict: they confirm it, or put it right and name whom not to believe."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.clock import ManualClock
from companion.core.language import localized, speaking
from companion.fusion.explain.reasons import why, why_lines
from companion.fusion.parameters.claims import CLAIM
from companion.games.sleepless_princess.rules.card_kinds import face_text
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, State
from companion.sensing.observation import Button, Count, Observation, TagRead, Texture
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_lines import Contradicted
from companion.session.journal.journal_replay import replay_journal
from companion.session.sensor_monitor import SensorMonitor
from companion.session.session import Session
from companion.session.stream.events import Claimed, Event, Said, SensorHealth, Table
from tests.support.observed import GAME, ObservedGame, sighting

PAIRS: tuple[tuple[int, int], ...] = ((0, 3),)
"""Mattresses that change places: the bottom ones of the first two beds."""


def sorted_out(state: State) -> State:
    """Every princess on her own mattresses."""
    faces = tuple(2 * kind + (n == 2) for kind in state.princesses for n in range(3))
    return state._replace(faces=faces)


def swapped(state: State) -> State:
    """The same, but for two mattresses."""
    faces = list(state.faces)
    for one, other in PAIRS:
        faces[one], faces[other] = faces[other], faces[one]
    return state._replace(faces=tuple(faces))


class Table3:
    """A session at a table of three that was told of one deal while another one lies there."""

    def __init__(self, folder: Path, *, lies: bool) -> None:
        """`lies`: what was told is swapped, else what lies there is."""
        self.clock = ManualClock()
        self.events: list[Event] = []
        self.path = folder / "journal.jsonl"
        self.journal = Journal(self.path, sync=False)
        self.watch = SensorMonitor()
        self.session = Session(
            GAME,
            "basic",
            3,
            clock=self.clock,
            publish=self.events.append,
            journal=self.journal,
            watch=self.watch,
        )
        game = ObservedGame(3)
        right = sorted_out(game.state)
        told, self.true = (swapped(right), right) if lies else (right, swapped(right))
        self.codes: list[str] = []
        for batch in game.rig.setup(told):
            kept = [seen for seen in batch if not isinstance(seen, Texture)]
            self.codes += [seen.card for seen in kept if isinstance(seen, TagRead) and seen.card]
            self.take(game.rig.t, kept)
        for one, other in PAIRS:
            self.codes[one], self.codes[other] = self.codes[other], self.codes[one]
        assert [face_text(face) for face in self.session.tracker.state.faces] == [
            face_text(face) for face in told.faces
        ]

    def take(self, t: float, batch: list[Observation]) -> None:
        self.clock.sleep(max(0.0, t - self.clock.now()))
        self.session.take(self.clock.now(), batch)

    def wait(self, seconds: float) -> None:
        for _ in range(round(4 * seconds)):
            self.clock.sleep(0.25)
            self.session.step([])

    def claim(self) -> None:
        self.take(self.clock.now() + 1, [Button(self.clock.now() + 1, "bed 1")])
        self.wait(1.25)

    def turn_up(self, *codes: str) -> None:
        t = self.clock.now() + 1
        self.take(t, [Count(t, "bed 1", 0, 0.0), sighting("bed 1", *codes, t=t)])
        self.wait(1)

    @property
    def verdicts(self) -> list[str]:
        return [one.verdict for one in self.events if isinstance(one, Claimed)]

    @property
    def state(self) -> Any:
        return self.session.tracker.state

    @property
    def repairs(self) -> list[str]:
        return [one.text for one in self.events if isinstance(one, Said) and one.kind == "repair"]

    @property
    def contradicted(self) -> list[Contradicted]:
        return [line for line in read_journal(self.path).lines if isinstance(line, Contradicted)]


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("lies", "said", "shown", "fate", "words"),
    [
        (True, "refuted", "proved", ASLEEP, "sleeps after all"),
        (False, "proved", "refuted", OUT, "does not sleep"),
    ],
)
def test_cards_that_contradict_a_verdict_put_it_right(
    tmp_path: Path, lies: bool, said: str, shown: str, fate: int, words: str
) -> None:
    table = Table3(tmp_path, lies=lies)
    table.claim()
    assert table.verdicts == [said]
    table.turn_up(*table.codes[:3])
    table.wait(CLAIM.tile_s)
    assert table.verdicts == [said, shown]
    assert [one.reasons for one in table.events if isinstance(one, Claimed)][-1] == (GAME.words.turned_up,)
    assert table.state.fates[0] == fate
    assert sorted(table.state.faces[:3]) == sorted(table.true.faces[:3])
    assert GAME.status(table.state) == ()
    assert len(table.repairs) == 1
    assert words in table.repairs[0]
    assert "pad" not in table.repairs[0], "which sensors had been believed is for the journal"
    last = [one for one in table.events if isinstance(one, Table)][-1]
    assert last.places[0].badge == ("asleep" if fate == ASLEEP else "out")
    assert [(one.subject, one.said, one.shown, one.sensors) for one in table.contradicted] == [
        (1, said, shown, ("pad reader",))
    ]
    assert table.watch.sensors.wrong["pad reader"].misses == 1
    assert "pad reader" not in table.watch.sensors.failing, "once may be bad luck"
    told = [line for line in why_lines(why(table.session.tracker, "bed 1")) if line.startswith("Turned up")]
    assert len(told) == 1
    assert f"{said} was said, {shown} is shown; believed was the reader at the pad read" in told[0]
    table.turn_up(*table.codes[:3])
    table.wait(30)
    assert len(table.verdicts) == 2, "nothing is told twice"
    table.journal.close()
    assert replay_journal(table.path)["matches"]


@pytest.mark.quick(1)
@pytest.mark.parametrize("tile", [True, False])
def test_where_nothing_weighs_the_cards_her_tile_or_time_takes_a_refusal_back(
    tmp_path: Path, tile: bool
) -> None:
    """A fan comes card by card: the first three may prove what the fourth disproves."""
    table = Table3(tmp_path, lies=True)
    table.claim()
    table.session.tracker.sensed.counts.pop("bed 1")
    t = table.clock.now() + 1
    table.take(t, [sighting("bed 1", *table.codes[:3], t=t)])
    table.wait(1)
    assert (table.verdicts, table.state.fates[0]) == (["refuted"], OUT)
    if tile:
        t = table.clock.now() + 1
        table.take(t, [sighting("bed 1", f"P{table.state.princesses[0]}D", t=t)])
    table.wait(1 if tile else 6)
    assert (table.verdicts, table.state.fates[0]) == (["refuted", "proved"], ASLEEP)


@pytest.mark.quick(1)
@pytest.mark.parametrize(("lies", "shown"), [(True, "proved"), (False, "refuted")])
def test_a_verdict_is_put_right_though_nobody_knows_which_card_is_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lies: bool, shown: str
) -> None:
    """Two of the three are others than believed, and a fan does not tell their order."""
    monkeypatch.setattr(f"{__name__}.PAIRS", ((0, 3), (2, 5)))
    table = Table3(tmp_path, lies=lies)
    table.claim()
    table.turn_up(*table.codes[:3])
    assert table.verdicts[1:] == [shown]
    assert ("sleeps after all" in table.repairs[0]) == (shown == "proved")
    assert table.state.fates[0] == (ASLEEP if shown == "proved" else OUT)


@pytest.mark.quick(1)
@pytest.mark.parametrize("tile_first", [True, False])
def test_the_dreaming_tile_outweighs_one_sticker(tmp_path: Path, tile_first: bool) -> None:
    """Beside two cards of hers one is read that is not: the players saw three of hers, and lay her tile."""
    table = Table3(tmp_path, lies=False)
    table.claim()

    def lay_tile() -> None:
        t = table.clock.now() + 1
        table.take(t, [sighting("bed 1", f"P{table.state.princesses[0]}D", t=t)])
        table.wait(1)

    if tile_first:
        lay_tile()
        table.wait(8)
    table.turn_up(*table.codes[:3])
    table.wait(2)
    if not tile_first:
        lay_tile()
    table.wait(12)
    assert table.verdicts == ["proved"]
    assert table.state.fates[0] == ASLEEP
    assert table.repairs == []


def test_a_sensor_that_was_wrong_twice_is_named(tmp_path: Path) -> None:
    table = Table3(tmp_path, lies=True)
    table.claim()
    table.turn_up(*table.codes[:3])
    table.watch.sensors.blame("pad reader")
    table.take(table.clock.now() + 1, [Count(table.clock.now() + 1, "bed 1", 3, 3.0)])
    named = [one for one in table.events if isinstance(one, SensorHealth) and one.source == "pad reader"]
    assert [one.ok for one in named] == [False]
    assert "was wrong 2 times" in named[0].detail
    with speaking("de"):
        assert "lag 2-mal falsch" in localized(named[0].detail)
    table.watch.begin()
    assert "pad reader" not in table.watch.sensors.failing, "another game, another chance"


def test_cards_that_agree_say_nothing_new(tmp_path: Path) -> None:
    table = Table3(tmp_path, lies=False)
    told = table.state
    one, other = PAIRS[0]
    table.codes[one], table.codes[other] = table.codes[other], table.codes[one]
    table.claim()
    table.turn_up(table.codes[0], table.codes[2])
    table.turn_up(*table.codes[:3])
    table.wait(5)
    assert table.verdicts == ["proved"]
    assert table.state.faces == told.faces
    assert table.repairs == []
    assert table.contradicted == []


def test_what_lies_there_much_later_is_something_else(tmp_path: Path) -> None:
    """A fan of the neighbours' cards may reach over a bed that is set aside."""
    table = Table3(tmp_path, lies=False)
    table.claim()
    table.wait(CLAIM.turned_up_s + 1)
    table.turn_up(*table.codes[:3])
    assert table.verdicts == ["proved"]
    assert table.state.fates == (ASLEEP, AWAKE, AWAKE, AWAKE, AWAKE)
    assert table.contradicted == []
