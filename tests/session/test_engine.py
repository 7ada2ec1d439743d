"""The engine: one game after another over the same sources, and a last word when it has to stop."""

import socket as sockets
import stat
from collections.abc import Iterator, Sequence
from functools import cache
from io import FileIO
from itertools import islice
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from companion.advice import princess_knowledge
from companion.advice import sleepless_princess as adviser
from companion.core.clock import ManualClock
from companion.core.errors import JournalError
from companion.dashboard.exit_summary import farewell, stop_and_hear
from companion.dashboard.model import PublicModel
from companion.fusion.explain.control_charts import MissTest, ScaleLine
from companion.fusion.parameters.health import HEALTH
from companion.fusion.tracker import Tracker
from companion.history.game_course import course_of
from companion.sensing.observation import (
    Count,
    Health,
    ManualEntry,
    Observation,
    Seen,
    Sighting,
    TagRead,
    Texture,
    Touch,
)
from companion.sensing.station_readings import StationReading
from companion.session.engine import Engine
from companion.session.entries.next_game import CLEAR_S
from companion.session.journal.fault_injection import DAMAGES, damaged, sensors_in
from companion.session.journal.journal import read_journal, read_opened, read_people
from companion.session.journal.journal_backlog import AGAIN_S
from companion.session.journal.journal_lines import (
    PLAYERS_NAMED,
    VERSION,
    Adopted,
    Line,
    Noticed,
    Observed,
    Opened,
    people_of,
)
from companion.session.journal.journal_replay import replay_journal
from companion.session.journal.recorded_game import recorded_game
from companion.session.journal.resume_progress import noting, percent_read
from companion.session.narration import NO_HINT
from companion.session.provisional_sentences import FIRM_S
from companion.session.sensor_monitor import SENSORS
from companion.session.session import Session
from companion.session.stream.commands import (
    AskHint,
    AskSensors,
    AskWhy,
    Claim,
    Command,
    EndGame,
    NamePlayers,
    OperatorCommand,
    Tell,
    Undo,
)
from companion.session.stream.events import (
    JOURNAL,
    Advice,
    Event,
    Explained,
    Goodbye,
    Names,
    OperatorEvent,
    Refused,
    Said,
    Score,
    SensorHealth,
    SensorView,
    Table,
    Welcome,
)
from companion.session.stream.stream import (
    COMMANDS_A_ROUND,
    StreamServer,
    connect,
    decode_line,
    encode_line,
    operator_path,
)
from companion.virtual.games.sleepless_princess.comparison import differences
from tests.support.observed import GAME, SensedGame

HINTLESS = Advice("nudge", 0, (), 0)


class Script:
    """A source that says what it is told to."""

    def __init__(self) -> None:
        self.waiting: list[Observation] = []
        self.finished = False
        self.ready = True
        self.closed = False

    def poll(self) -> list[Observation]:
        said, self.waiting = self.waiting, []
        return said

    def close(self) -> None:
        self.closed = True


Desk = tuple[Engine, Script, ManualClock, Path]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    clock, source = ManualClock(), Script()
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    engine = Engine(
        GAME, "5+", 2, sources=[source], stream=stream, journals=tmp_path / "game.jsonl", clock=clock
    )
    return engine, source, clock, tmp_path


class PadScript(Script):
    """The same with a pad that has been pressed."""

    def __init__(self) -> None:
        super().__init__()
        pad = StationReading("pad")
        pad.picture = bytes(range(256))
        self.readings = [pad]


def test_the_pressed_picture_is_hidden_from_the_first_card_until_the_next_game(tmp_path: Path) -> None:
    clock, pad = ManualClock(), PadScript()
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    engine = Engine(GAME, "5+", 2, sources=[pad], stream=stream, journals=tmp_path / "g.jsonl", clock=clock)

    def sees_picture() -> bool:
        engine.round()
        with connect(engine.stream.path) as screen, screen.makefile("rb") as lines:
            screen.sendall(encode_line(AskSensors()))
            engine.round()
            engine.round()
            views = (one for line in lines if isinstance(one := decode_line(line, Event), SensorView))
            return bool(next(views).pressed)

    def told(*seen: Observation) -> bool:
        clock.sleep(1)
        pad.waiting = list(seen)
        return sees_picture()

    assert told()
    card = Texture(1.0, "pad", None, 1.0)
    assert not told(card), "while cards are dealt no camera and no scale need have seen one"
    assert not told(Count(2.0, "bed 1", 3, 3.0))
    bare = (Count(5.0, "bed 1", 0, 0.0), Sighting(5.0, "bed 1", ()))
    first = engine.session
    assert not told(*bare)
    assert told(), "the table was cleared"
    assert engine.session is not first
    second = engine.session
    assert not told(Count(9.0, "bed 1", 3, 3.0))
    assert not told(*bare)
    assert not told(card), "the next deal has begun before the table was bare for long"
    assert engine.session is not second
    assert not told()
    engine.close()


def test_each_game_is_told_with_the_time_by_which_the_clock_is_ahead_of_its_journal(tmp_path: Path) -> None:
    told: list[tuple[str, float, float]] = []

    def engine(clock: ManualClock, name: str, source: Script, *, resume: bool) -> Engine:
        stream: StreamServer[Event, Command] = StreamServer(tmp_path / f"{name}.sock", Command)
        return Engine(
            GAME, "5+", 2, sources=[source], stream=stream, journals=tmp_path / "game.jsonl", clock=clock,
            resume=resume,
            on_game=lambda path, begins, ahead: told.append((path.name, begins, round(ahead, 3))),
        )  # fmt: skip

    source, clock = Script(), ManualClock(10.0)
    first = engine(clock, "a", source, resume=False)
    clock.sleep(1.0)
    source.waiting = [Count(11.0, "bed 1", 3, 3.0)]
    first.round()
    first.close()
    again, clock = Script(), ManualClock(1000.0)
    second = engine(clock, "b", again, resume=True)
    for t, n in ((1001.0, 3), (1002.0, 0)):
        clock.sleep(1.0)
        again.waiting = [Count(t, "bed 1", n, float(n)), Sighting(t, "bed 1", ())]
        second.round()
    clock.sleep(CLEAR_S)
    second.round()
    second.close()
    assert told == [
        ("game.jsonl", 10.0, 0.0),
        ("game.jsonl", 1000.0, 1000.0 - 41.0),
        ("game-2.jsonl", 1002.0 + CLEAR_S, 0.0),
    ]


def tile(t: float, *codes: str) -> Sighting:
    return Sighting(t, "bed 1", tuple(Seen(code, 0, 0) for code in codes))


def test_an_engine_is_ready_when_every_source_has_observed_and_that_was_taken(tmp_path: Path) -> None:
    sources = [Script(), Script()]
    sources[0].ready = sources[1].ready = False
    seen: list[int] = []
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    engine = Engine(
        GAME, "5+", 2, sources=sources, stream=stream, journals=tmp_path / "game.jsonl", clock=ManualClock(),
        on_ready=lambda: seen.append(engine.session.tracker.state.princesses[0]),
    )  # fmt: skip
    engine.round()
    sources[0].ready = True
    engine.round()
    assert seen == []
    sources[0].waiting, sources[1].ready = [tile(0, "P3A")], True
    engine.round()
    engine.round()
    assert seen == [3]
    engine.close()


def test_a_refusal_goes_to_the_screen_that_gave_the_command(
    desk: Desk,
) -> None:
    engine, _, _, folder = desk
    screens = [connect(folder / "s.sock") for _ in range(2)]
    engine.round()
    screens[1].sendall(encode_line(Claim(1)) + encode_line(Undo()))
    screens[0].sendall(encode_line(Claim(99)))
    engine.round()
    engine.close()
    told = []
    for screen in screens:
        with screen, screen.makefile("rb") as lines:
            events = [decode_line(line, Event) for line in lines]
            told.append([one.text for one in events if isinstance(one, Refused)])
    assert told == [
        ["There is no bed 99."],
        ["Nothing can be claimed yet.", "There is nothing to take back."],
    ]


def test_what_is_known_of_sensors_is_in_the_journal_of_the_next_game(
    desk: Desk,
) -> None:
    engine, source, clock, folder = desk

    def told(*seen: Observation) -> Session:
        clock.sleep(CLEAR_S)
        source.waiting = list(seen)
        engine.round()
        return engine.session

    first = told(Count(1.0, "bed 1", 3, 3.0), tile(1.0, "P3A"))
    watch = engine.monitor.sensors
    for sensor, misses in (("bed 1 scale", 4), ("bed 2 scale", 1)):
        test = watch.misses.setdefault(sensor, MissTest(0.01, HEALTH.failing))
        for _ in range(misses):
            test.take(True)
    watch.lines["bed 2 scale"] = ScaleLine()
    told(Count(2.0, "bed 1", 0, 0.0), tile(2.0))
    second = told()
    assert second is not first
    told(Count(5.0, "bed 2", 1, 1.0))
    assert second.tracker.doubted == {"bed 1 scale"}
    engine.close()
    lines = read_journal(folder / "game-2.jsonl").lines
    replayed = Session(GAME, "5+", 2, clock=clock, publish=lambda _event: None, recorded=lines)
    assert replayed.tracker.doubted == second.tracker.doubted
    assert replayed.screens.health["bed 1 scale"] == second.screens.health["bed 1 scale"]
    again = replayed.monitor.sensors
    assert (again.misses, again.lines) == (watch.misses, watch.lines), "and are counted on from there"
    again.take_over({"misses": {"bed 1 scale": 3}, "told": None})
    assert again.failing == {"bed 1 scale"}, "what is no account changes nothing"
    assert [type(one) for one in lines].count(Noticed) == 0, "it was noticed in the first game"


def test_only_the_operators_own_socket_says_why(tmp_path: Path) -> None:
    """It names hidden cards: a screen that is relayed to a phone must not get at them."""
    game, clock, source = SensedGame(3, "5+", 2), ManualClock(), Script()
    path = tmp_path / "s.sock"
    stream: StreamServer[Event, Command] = StreamServer(path, Command)
    operator: StreamServer[OperatorEvent, OperatorCommand] = StreamServer(operator_path(path), OperatorCommand)
    engine = Engine(
        GAME, "5+", 2, sources=[source], stream=stream, operator=operator, journals=tmp_path / "game.jsonl",
        clock=clock,
    )  # fmt: skip
    for batch in game.rig.setup(game.state):
        clock.sleep(game.rig.t - clock.now())
        source.waiting += batch
        engine.round()
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, operator_path(path))] == [0o600] * 2
    heard: list[list[bytes]] = []
    for socket in (path, operator_path(path)):
        with connect(socket) as client, client.makefile("rb") as lines:
            for bed in (1, 9):
                client.sendall(encode_line(AskWhy(bed)))
            client.sendall(encode_line(Claim(9)))
            engine.round()
            engine.round()
            client.settimeout(60)
            heard.append([])
            while sum(b'"refused"' in line or b'"explained"' in line for line in heard[-1]) < 3:
                heard[-1].append(lines.readline())
    names = {name for cards in GAME.hidden_layout(game.state).values() for _, name in cards}
    screen, own = heard
    assert not any(b"explain" in line for line in screen)
    assert sum(b"not a command" in line for line in screen) == 2
    answers = [decode_line(line, OperatorEvent) for line in own]
    (explained,) = [one for one in answers if isinstance(one, Explained) and one.place == 1]
    assert any(name in "\n".join(explained.lines) for name in names)
    assert any(
        one.lines == ("There is no place 9 in this game.",) for one in answers if isinstance(one, Explained)
    )
    assert sum(isinstance(one, Refused) for one in answers) == 1, "it takes no command of a screen"
    engine.close()
    assert not path.exists()
    assert not operator_path(path).exists()


def lasting(engine: Engine, clock: ManualClock, seconds: float) -> None:
    until = clock.now() + seconds
    while clock.now() < until:
        engine.round()
        clock.sleep(0.1)


def test_a_cleared_table_begins_a_new_game_and_a_new_journal(
    desk: Desk,
) -> None:
    engine, source, clock, folder = desk
    source.waiting = [Count(0, "bed 1", 0, 0.0), tile(0, "P3A")]
    engine.round()
    source.waiting = [tile(1)]
    lasting(engine, clock, 3 * CLEAR_S)
    first = engine.session
    assert first.tracker.state.princesses[0] == 3  # a tile that was stood up is no cleared table
    source.waiting = [Count(5, "bed 1", 1, 1.0)]
    lasting(engine, clock, 1)
    assert engine.session.tracker.state.beds[0] == (0,)
    source.waiting = [Count(9, "bed 1", 0, 0.0)]
    lasting(engine, clock, 3 * CLEAR_S)
    assert engine.session is not first
    assert engine.session.tracker.state == GAME.empty_table("5+", 2)
    engine.close()
    assert read_journal(folder / "game.jsonl").lines
    assert read_journal(folder / "game-2.jsonl").opened.variant == "5+"
    assert source.closed


@pytest.mark.quick(1)
@pytest.mark.parametrize("at_once", [True, False])
def test_a_game_that_is_over_stays_over_while_the_next_one_is_laid_out(
    desk: Desk, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A quick family: a bed has its new tile 0.2 s after it was bared, while other beds are still full."""
    engine, source, clock, folder = desk
    published: list[Event] = []
    send = engine.stream.send
    monkeypatch.setattr(
        engine.stream,
        "send",
        lambda event, peers=None: (published.append(event), send(event, peers)),
    )
    game = SensedGame(3, "5+", 2)
    for batch in game.rig.setup(game.state):
        clock.sleep(game.rig.t - clock.now())
        source.waiting = list(batch)
        engine.round()
    first = engine.session
    first.step([], [EndGame()])
    assert first.over
    lasting(engine, clock, 2)
    end = GAME.screen(first.tracker.state, "referee")
    beds = sorted(first.tracker.sensed.counts)
    zones = [zone for zone in first.tracker.sensed.zones if zone not in (*beds, "glass")]
    if at_once:  # They played on after the end: nothing of that belongs to the next game.
        source.waiting = [Count(clock.now(), bed, 0, 0.0) for bed in beds[:2]]
        lasting(engine, clock, 0.2)
        source.waiting = [TagRead(clock.now(), "pad", "M3A"), Touch(clock.now(), beds[0], True)]
        lasting(engine, clock, 0.2)
    new = SensedGame(4, "5+", 2).state.princesses
    for n, bed in enumerate(beds):
        now = clock.now()
        # Gathered in haste, some mattresses show their faces.
        source.waiting = [Sighting(now, bed, (Seen("M1A", 0, 0), Seen("M2A", 0, 0)))]
        lasting(engine, clock, 0.2)
        source.waiting = [Count(now, bed, 0, 0.0), Sighting(now, bed, ())]
        lasting(engine, clock, 0.2)
        if not at_once:
            source.waiting = [Sighting(clock.now(), bed, (Seen(f"P{new[n]}A", 0, 0),))]
            lasting(engine, clock, 0.2)
    # Both mattresses of the princess who lay there: they would prove that she slept.
    hers = [Seen(f"M{game.state.princesses[-1]}{which}", 0, 0) for which in "AB"]
    source.waiting = [Sighting(clock.now(), beds[-1], tuple(hers))]
    lasting(engine, clock, 0.5)
    source.waiting = [Sighting(clock.now(), beds[-1], ())]
    lasting(engine, clock, 0.2)
    if not at_once:
        source.waiting = [Sighting(clock.now(), beds[-1], (Seen(f"P{new[-1]}A", 0, 0),))]
    source.waiting += [Sighting(clock.now(), zone, ()) for zone in zones]
    lasting(engine, clock, 0.3)
    assert (engine.session is first) is at_once, "a table that is bare waits, one that is laid out does not"
    lasting(engine, clock, 2 * CLEAR_S)
    assert engine.session is not first
    assert GAME.screen(first.tracker.state, "referee") == end
    assert len([event for event in published if isinstance(event, Score)]) == 1
    if not at_once:
        assert engine.session.tracker.state.princesses[: len(beds)] == new[: len(beds)]
    engine.close()
    second = read_journal(folder / "game-2.jsonl")
    assert second.opened.variant == "5+"
    heard = [seen for line in second.lines if isinstance(line, Observed) for seen in line.o]
    assert not any(isinstance(seen, TagRead | Touch) for seen in heard)


def faults(engine: Engine) -> dict[str, str]:
    return {source: one.detail for source, one in engine.session.screens.health.items() if not one.ok}


@pytest.mark.long
def test_what_a_loose_cable_took_is_blamed_on_no_sensor_in_its_game_nor_in_the_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board is away for 4 of every 7 s: of a deal it feels about every other mattress."""
    monkeypatch.setitem(DAMAGES, "loose", lambda first, _last, _chance: lambda t: (t - first) % 7 < 3)
    engine, source, clock, _ = desk
    game = SensedGame(3, "5+", 2)
    game.set_up()
    for _ in zip(range(20), game.play_on(), strict=False):
        pass
    blamed: dict[str, str] = {}
    lines = [Observed(t, tuple(batch)) for t, batch in game.batches]
    (board,) = (sensor for sensor in sensors_in(lines) if sensor.name == "board")
    for line in damaged(lines, board, "loose"):
        clock.sleep(max(0.0, line.t - clock.now()))
        source.waiting = list(line.o)
        engine.round()
        blamed |= faults(engine)
    assert len(engine.session.tracker.steps) > 20
    first = engine.session
    now, zones = clock.now(), engine.session.tracker.sensed.zones
    source.waiting = [
        Health(now, "board", True),
        *(Count(now, f"bed {bed}", 0, 0.0) for bed in range(1, 6)),
        *(Sighting(now, zone, ()) for zone in zones),
    ]
    lasting(engine, clock, 3 * CLEAR_S)
    assert engine.session is not first
    assert faults(engine) == {}
    clock.sleep(2 * HEALTH.certain_s)
    source.waiting = [tile(clock.now(), "P3A")]
    lasting(engine, clock, 1)
    assert set(blamed | faults(engine)) == {"board"}
    engine.close()


def test_a_new_game_begins_with_the_faults_that_still_hold(
    desk: Desk,
) -> None:
    engine, source, clock, folder = desk
    source.waiting = [Count(0, "bed 1", 1, 1.0), tile(0)]
    engine.round()
    for _ in range(120):
        clock.sleep(1)
        source.waiting = [Touch(clock.now(), "bed 2", True), Touch(clock.now(), "bed 2", False)]
        engine.round()
    source.waiting = [
        Count(clock.now(), "bed 1", 0, 0.0),
        Health(clock.now(), "camera", False, "no picture"),
        Health(clock.now(), "stickers", False, "two cards carry the same sticker"),
    ]
    first = engine.session
    lasting(engine, clock, 3 * CLEAR_S)
    assert engine.session is not first
    assert set(faults(engine)) == {"camera", "bed 2 electrode"}
    assert "camera" in engine.session.tracker.sensed.silent
    source.waiting = [Health(clock.now(), "camera", True)]
    engine.round()
    assert set(faults(engine)) == {"bed 2 electrode"}
    engine.close()
    # Who replays the second game learns of it as well.
    lines = [line for line in read_journal(folder / "game-2.jsonl").lines if isinstance(line, Observed)]
    health = [(seen.source, seen.ok) for line in lines for seen in line.o if isinstance(seen, Health)]
    assert health == [("camera", False), ("camera", True)]


def test_a_screen_that_joins_late_sees_the_present(desk: Desk) -> None:
    engine, source, clock, folder = desk
    source.waiting = [tile(0, "P3A")]
    engine.round()
    clock.sleep(FIRM_S)
    engine.round()
    client = connect(folder / "s.sock")
    engine.round()
    engine.round()
    lines = client.recv(1 << 16).splitlines()
    welcome, table, said = (decode_line(line, Event) for line in lines)
    assert isinstance(welcome, Welcome)
    assert isinstance(table, Table)
    assert table.places[0].name == "Scarfs"
    assert isinstance(said, Said)
    engine.close()


def test_naming_the_players_begins_nothing_anew(desk: Desk) -> None:
    engine, _, _, folder = desk
    client = connect(folder / "s.sock")
    engine.round()
    heard(client)
    client.sendall(encode_line(NamePlayers(("Anna", "Ben", "Cleo"))))
    engine.round()
    assert heard(client) == [Names(("Anna", "Ben"))], "of two players"
    late = connect(folder / "s.sock")
    engine.round()
    welcome, *_ = heard(late)
    assert isinstance(welcome, Welcome)
    assert welcome.names == ("Anna", "Ben")
    engine.close()


@pytest.mark.parametrize("given", [(), ("Cleo", "Dan")], ids=["entered", "given anew"])
def test_names_that_were_entered_last_outlive_the_engine(given: tuple[str, ...], desk: Desk) -> None:
    engine, source, clock, folder = desk
    source.waiting = [tile(0, "P3A")]
    client = connect(folder / "s.sock")
    engine.round()
    client.sendall(encode_line(NamePlayers(("Anna", "Ben"))))
    engine.round()
    engine.close()
    path = folder / "game.jsonl"
    assert (read_opened(path).people, read_people(path)) == ((), ("Anna", "Ben"))
    for names in (given, ()):  # the second time nobody gives names
        again = Engine(
            *(GAME, "5+", 2),
            stream=StreamServer(folder / "s.sock", Command),
            journals=path,
            clock=clock,
            player_names=names or read_people(path),
            resume=True,
        )
        assert again.session.player_names == read_people(path) == (given or ("Anna", "Ben"))
        again.close()
    assert course_of(path).opened.people == recorded_game(path).welcome.names == (given or ("Anna", "Ben"))


def test_names_of_a_damaged_entry_are_not_taken() -> None:
    opened = Opened(VERSION, GAME.name, "5+", 2, people=("Anna", "Ben"))
    for people in (["a" * 99, "b"], ["\x1b[31m"], "Cleo", [1] * 9, None):
        entry = ManualEntry(2.0, PLAYERS_NAMED, {"people": people})
        assert people_of(opened, [opened, Observed(2.0, (entry,))]) == ("Anna", "Ben")


def test_a_full_disk_is_told_and_stops_nothing_and_nothing_is_lost_once_there_is_room(
    desk: Desk,
) -> None:
    engine, source, clock, folder = desk
    client = connect(folder / "s.sock")
    engine.round()
    disk = engine.journal.file
    with FileIO("/dev/full", "ab") as full:
        engine.journal.file = full
        for number in range(3):
            source.waiting = [tile(number, f"P{number + 3}A")]
            engine.round()
            clock.sleep(AGAIN_S)
        told = [one for one in heard(client) if isinstance(one, SensorHealth) and one.source == JOURNAL]
        assert [one.ok for one in told] == [False]
        assert "No space" in told[0].detail
        assert not any(isinstance(line, Observed) for line in read_journal(engine.journal.path).lines)
        engine.stop()
        assert engine.session.screens.health[JOURNAL] == told[0]
    engine.journal.file = disk
    engine.round()
    said = heard(client)
    assert SensorHealth(JOURNAL, True) in said
    assert any(isinstance(one, Said) and "nothing of this game is lost" in one.text for one in said)
    kept = [one.o for one in read_journal(engine.journal.path).lines if isinstance(one, Observed)]
    assert [seen[0].cards[0].card for seen in kept] == ["P3A", "P4A", "P5A"]
    engine.close()


def test_a_game_whose_end_the_disk_refused_is_told_of_when_the_next_one_begins(
    desk: Desk,
) -> None:
    engine, source, clock, folder = desk
    source.waiting = [Count(0, "bed 1", 3, 3.0), tile(0, "P3A")]
    engine.round()
    client = connect(folder / "s.sock")
    engine.round()
    engine.journal.file.close()
    engine.journal.file = FileIO("/dev/full", "ab")
    source.waiting = [Count(1, "bed 1", 0, 0.0), tile(1)]
    lasting(engine, clock, 3 * CLEAR_S)
    said = [one.text for one in heard(client) if isinstance(one, Said)]
    assert said[-2:] == [
        "The table is clear: a new game.",
        "The disk is full: the end of the last game is not kept.",
    ]
    engine.close()


def test_a_new_game_leaves_the_journal_of_another_evening_alone(tmp_path: Path) -> None:
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
    (tmp_path / "game-2.jsonl").write_bytes(b"of another evening\n")
    engine = Engine(
        GAME, "5+", 2, sources=[], stream=stream, journals=tmp_path / "game.jsonl", clock=ManualClock()
    )
    engine.begin_anew(())
    engine.close()
    assert (tmp_path / "game-2.jsonl").read_bytes() == b"of another evening\n"
    assert read_journal(tmp_path / "game-3.jsonl").opened.variant == "5+"


def test_a_further_game_that_cannot_be_kept_is_played_all_the_same(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, source, _, folder = desk

    def refused(*_: object, **__: object) -> None:
        raise JournalError("the journal cannot be written (Read-only file system)")

    monkeypatch.setattr("companion.session.journal.journal_files.Journal", refused)
    engine.begin_anew(())
    client = connect(folder / "s.sock")
    source.waiting = [tile(0, "P3A")]
    engine.round()
    engine.round()
    events = heard(client)
    assert [one.kept for one in events if isinstance(one, Welcome)] == [False]
    said = [one.text for one in events if isinstance(one, Said)]
    assert said[0] == (
        "The journal cannot be written (Read-only file system): this game is played and not kept."
    )
    assert engine.session.tracker.sensed.zones
    engine.close()


def test_a_disk_that_stays_full_is_tried_once_in_a_while(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each attempt encodes all that waits."""
    engine, source, clock, _ = desk
    tried: list[float] = []

    def refused(lines: object) -> None:
        tried.append(clock.now())
        raise JournalError("no room")

    monkeypatch.setattr(engine.journal, "write", refused)
    for _ in range(40):
        clock.sleep(0.25)
        source.waiting = [Touch(clock.now(), "bed 1", True)]
        engine.round()
    assert len(tried) == 10 / AGAIN_S
    assert not engine.session.keep(), "at the end it is tried in any case"
    assert len(tried) == 10 / AGAIN_S + 1
    engine.close()


def test_leaving_with_a_full_disk_says_what_is_not_kept(
    desk: Desk,
) -> None:
    engine, source, _, folder = desk
    client = connect(folder / "s.sock")
    engine.round()
    engine.journal.file.close()
    engine.journal.file = FileIO("/dev/full", "ab")
    source.waiting = [tile(0, "P3A")]
    engine.stop()
    engine.round()
    engine.run()
    goodbye = heard(client)[-1]
    assert isinstance(goodbye, Goodbye)
    assert goodbye.text == (
        "The companion was stopped. The journal cannot be written (No space left on device): "
        "no turn of this game is recorded."
    )


def test_the_end_of_a_recording_is_told_as_such(desk: Desk) -> None:
    engine, source, _, folder = desk
    client = connect(folder / "s.sock")
    engine.round()
    for at, name in enumerate(("P3A", "P4A")):
        source.waiting = [tile(at, name)]
        engine.round()
    source.finished = True
    engine.run()
    assert heard(client)[-1] == Goodbye("The recording has come to its end.", ended=True)


def test_who_leaves_with_a_full_disk_hears_up_to_which_turn_it_is_recorded(
    desk: Desk,
) -> None:
    engine, source, clock, folder = desk
    state = GAME.setup("5+", 2, Random(1))
    engine.session.write([Adopted(clock.now(), GAME.write_state(state))])
    engine.journal.file.close()
    engine.journal.file = FileIO("/dev/full", "ab")
    source.waiting = [tile(0, "P3A")]
    engine.round()
    model, ended = PublicModel(("engine",)), Thread(target=engine.run)
    model.take(engine.session.screens.health[JOURNAL])
    ended.start()
    stop_and_hear(model, folder / "s.sock")
    ended.join()
    assert model.unwritten
    assert model.goodbye.endswith(
        "The journal cannot be written (No space left on device): "
        "the game is recorded up to turn 1, the rest is lost."
    )
    assert model.goodbye in farewell(model)


def test_who_leaves_when_there_is_room_again_loses_nothing(
    desk: Desk,
) -> None:
    engine, source, _, folder = desk
    disk = engine.journal.file
    with FileIO("/dev/full", "ab") as full:
        engine.journal.file = full
        source.waiting = [tile(0, "P3A")]
        engine.round()
    model, ended = PublicModel(("engine",)), Thread(target=engine.run)
    model.take(engine.session.screens.health[JOURNAL])
    engine.journal.file = disk
    ended.start()
    stop_and_hear(model, folder / "s.sock")
    ended.join()
    assert not model.unwritten
    assert "lost" not in model.goodbye
    assert any(isinstance(line, Observed) for line in read_journal(engine.journal.path).lines)


def heard(client: sockets.socket) -> list[object]:
    """Everything this screen was told since it was asked last."""
    return [decode_line(line, Event) for line in client.recv(1 << 20).splitlines()]


@cache
def _short_game() -> SensedGame:
    """A game's first 24 actions after the deal; nobody changes it any more."""
    game = SensedGame(83, "5+", 2)
    game.set_up()
    for _ in islice(game.play_on(), 24):
        pass
    return game


@pytest.mark.quick(1)
@pytest.mark.parametrize("cut", [1, 0, 40])
def test_a_killed_engine_goes_on_where_it_was(tmp_path: Path, cut: int) -> None:
    """The journal alone brings the game back, even when its last bytes never reached the disk."""
    game = _short_game()
    half = len(game.batches) // 2
    read: list[int | None] = []

    def engine(clock: ManualClock, *, resume: bool) -> tuple[Engine, Script]:
        source = Script()
        stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
        path = tmp_path / "game.jsonl"

        def along(lines: Sequence[Line]) -> Iterator[Line]:
            for line in noting(stream.path)(lines):
                read.append(percent_read(stream.path))
                yield line

        return Engine(
            GAME,
            "5+",
            2,
            sources=[source],
            stream=stream,
            journals=path,
            clock=clock,
            resume=resume,
            along=along,
        ), source

    def live(
        engine: Engine, source: Script, clock: ManualClock, batches: list[tuple[float, list[Observation]]]
    ) -> None:
        for t, batch in batches:
            clock.sleep(max(0.0, t - clock.now()))
            source.waiting = list(batch)
            engine.round()

    clock = ManualClock()
    first, source = engine(clock, resume=False)
    live(first, source, clock, game.batches[:half])
    first.close()  # as the kernel closes what a killed process held
    path = tmp_path / "game.jsonl"
    if cut:
        path.write_bytes(path.read_bytes()[:-cut])
    assert not read
    second, source = engine(clock, resume=True)
    assert (read[0], read[-1]) == (0, 100 * (len(read) - 1) // len(read))
    assert percent_read(tmp_path / "s.sock") is None
    assert read == sorted(read, key=lambda percent: percent or 0), "how far it is, for the screen that waits"
    if not cut:
        assert second.session.tracker.state == first.session.tracker.state
    live(second, source, clock, game.batches[half - 1 if cut else half :])
    second.close()
    assert differences(game.state, second.session.tracker.state) == ()
    replayed = replay_journal(path)
    assert replayed["matches"]
    assert replayed["final_state"] == GAME.write_state(second.session.tracker.state)


def test_many_who_tell_what_they_felt_have_the_game_relived_once_a_round(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, _, _, folder = desk
    relived: list[int] = []
    relive = princess_knowledge.relive
    monkeypatch.setattr(princess_knowledge, "relive", lambda recorded: relived.append(1) or relive(recorded))
    client = connect(folder / "s.sock")
    client.sendall(b"".join(encode_line(Tell(str(bed % 5 + 1))) for bed in range(COMMANDS_A_ROUND)))
    engine.round()
    engine.round()
    assert len(relived) == 1
    refused = heard(client)
    assert sum(isinstance(event, Refused) for event in refused) == COMMANDS_A_ROUND
    engine.close()


def test_a_question_that_is_asked_again_and_again_is_answered_once_a_round(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, _, _, folder = desk
    answered: list[AskHint] = []
    monkeypatch.setattr(
        adviser, "answer", lambda _recorded, question, **_: answered.append(question) or HINTLESS
    )
    clients = [connect(folder / "s.sock"), connect(folder / "s.sock")]
    for level in ("coach", "coach", "coach"):
        clients[0].sendall(encode_line(AskHint(level)))
    clients[1].sendall(encode_line(AskHint("nudge")))
    engine.round()
    engine.round()
    assert answered == [AskHint("coach"), AskHint("nudge")]
    for client in clients:
        events = heard(client)
        assert sum(isinstance(event, Advice) for event in events) == 1
    engine.close()


def test_no_hint_is_given_as_if_sure_while_the_companion_has_lost_track(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, source, clock, folder = desk
    monkeypatch.setattr(adviser, "answer", lambda *_, **__: HINTLESS)
    monkeypatch.setattr(Tracker, "lost", lambda _self, _t: True)
    source.waiting = [Count(0, "bed 1", 0, 0.0)]
    lasting(engine, clock, 0.5)
    client = connect(folder / "s.sock")
    client.sendall(encode_line(AskHint("coach")))
    engine.round()
    engine.round()
    events = heard(client)
    assert [event.text for event in events if isinstance(event, Refused)] == [NO_HINT]
    assert HINTLESS not in events
    engine.close()


def test_hints_are_given_though_the_checkout_was_updated_in_mid_game(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new version has the module elsewhere."""
    engine, _, _, folder = desk
    monkeypatch.setattr("companion.games.registry.find_spec", lambda _name: None)
    monkeypatch.setattr(adviser, "answer", lambda *_, **__: HINTLESS)
    client = connect(folder / "s.sock")
    client.sendall(encode_line(AskHint("coach")))
    engine.round()
    engine.round()
    events = heard(client)
    assert HINTLESS in events
    engine.close()


def test_a_rig_gone_mad_names_sensors_without_end_and_screens_hear_of_some(
    desk: Desk,
) -> None:
    engine, source, _, _ = desk
    source.waiting = [Health(0.0, f"part {number}", False, "x" * 99) for number in range(5000)]
    engine.round()
    source.waiting = [Health(1.0, "part 0", True)]
    engine.round()
    welcome = engine.session.welcome()
    assert sum(isinstance(event, SensorHealth) for event in welcome) == SENSORS
    assert SensorHealth("part 0", True) in welcome
    assert sum(len(encode_line(event)) for event in welcome) < 32768
    assert len(engine.session.monitor.gone) < SENSORS
    engine.close()


def test_the_newest_game_is_resumed(desk: Desk) -> None:
    engine, source, clock, folder = desk
    source.waiting = [Count(0, "bed 1", 0, 0.0), tile(0, "P3A"), Count(0, "bed 1", 1, 1.0), tile(1)]
    engine.round()
    source.waiting = [Count(1, "bed 1", 0, 0.0)]
    lasting(engine, clock, 3 * CLEAR_S)
    source.waiting = [tile(9, "P5A")]
    engine.round()
    engine.close()
    stream: StreamServer[Event, Command] = StreamServer(folder / "s.sock", Command)
    again = Engine(
        GAME, "5+", 2, sources=[], stream=stream, journals=folder / "game.jsonl", clock=clock, resume=True
    )
    assert again.session.tracker.state.princesses[0] == 5
    again.close()


def test_an_engine_killed_before_it_saw_anything_begins_again(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "game.jsonl"
    for resume in (False, True, True):
        stream: StreamServer[Event, Command] = StreamServer(tmp_path / "s.sock", Command)
        engine = Engine(GAME, "5+", 2, sources=[], stream=stream, journals=path, clock=clock, resume=resume)
        engine.round()
        engine.close()
    assert path.read_bytes().count(b"open") == 1
    entries = [seen for line in read_journal(path).lines if isinstance(line, Observed) for seen in line.o]
    assert [entry.what for entry in entries if isinstance(entry, ManualEntry)] == ["resumed", "resumed"]
    assert replay_journal(path)["matches"]


def test_a_damaged_journal_is_gone_on_with_and_every_screen_is_told(
    desk: Desk,
) -> None:
    engine, source, clock, folder = desk
    source.waiting = [Count(0, "bed 1", 0, 0.0), tile(0, "P3A")]
    engine.round()
    source.waiting = [Count(1, "bed 1", 1, 1.0), tile(1)]
    lasting(engine, clock, 1)
    engine.close()
    path = folder / "game.jsonl"
    *good, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(good) + last.replace(b"1", b"3", 1))
    stream: StreamServer[Event, Command] = StreamServer(folder / "s.sock", Command)
    again = Engine(GAME, "5+", 2, sources=[], stream=stream, journals=path, clock=clock, resume=True)
    assert again.session.tracker.state.princesses[0] == 3
    told = [event for event in again.session.welcome() if isinstance(event, Said) and event.kind == "fault"]
    assert [event.text for event in told] == [again.salvaged]
    assert f"Line {len(good) + 1} of the journal was damaged" in again.salvaged
    assert (folder / "game.jsonl.damaged").exists()
    again.close()
    assert replay_journal(path)["matches"]
