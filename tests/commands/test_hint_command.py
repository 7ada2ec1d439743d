"""`companion hint`: advice for a journal and from a running engine, at every level, and clear refusals."""

import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.advice.princess_knowledge import (
    check_told,
    last_check,
    relive,
    team_knowledge,
)
from companion.advice.sleepless_princess import ASK_FELT, TELL, answer
from companion.commands import hint as hint_module
from companion.commands.hint import hint
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError, CompanionError, SourceError
from companion.games.advice import LEVELS
from companion.games.sleepless_princess.hints.race_value_iteration import cards_needed
from companion.games.sleepless_princess.rules.actions import Look, Open, Touch
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, UNKNOWN_FACE, WITCH
from companion.games.sleepless_princess.rules.cardsets import HELPER_COPIES
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, Phase
from companion.rehearse.watched_session import Told
from companion.sensing.observation import Button, Count, Seen, Sighting
from companion.session.engine import Engine
from companion.session.entries.advice_request import ask_engine
from companion.session.journal.journal import Journal, Recorded, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import VERSION, Adopted, Done, Opened, Revoked
from companion.session.journal.journal_replay import replay_journal
from companion.session.stream.commands import AskHint, Command, Tell, Undo
from companion.session.stream.events import Advice, Claimed, Event, Refused
from companion.session.stream.stream import StreamServer, connect, decode_line, encode_line
from tests.support.checked_journals import checked_journal
from tests.support.hinting import GAME, Played, WatchedGame, play
from tests.support.sleepless import BLANK

GARBLED = [
    (b"lay", b"fly"),
    (b"=", b":"),
    (b"1", b"7"),
    (b"basic", b"expert"),
    (b":3", b":9"),
    (b"touch", b"look"),
]
"""What damage makes of the words of a journal."""


def record(path: Path, played: Played, check: int) -> Path:
    """A game up to its check of that number (from 0)."""
    watched = WatchedGame(played.dealt, journal=path)
    checks = [at for at, (before, _) in enumerate(played.history) if before.touches]
    for _, action in played.history[: checks[check]]:
        watched.do(action)
    return path


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which cards were just played, the touch still to come."""
    return record(tmp_path_factory.mktemp("hint") / "game.jsonl", play(3, "basic", 3), 3)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of 5+ at its first touch: an engine reads it back in a fraction of the time."""
    return record(tmp_path_factory.mktemp("begun") / "game.jsonl", play(2, "5+", 3), 0)


def ask(*arguments: object) -> Result:
    return CliRunner().invoke(hint, [str(argument) for argument in arguments])


def advice(*arguments: object) -> Advice:
    result = ask(*arguments, "--json")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("\n") == 1
    return msgspec.json.decode(result.stdout, type=Advice)


def test_in_a_silent_game_a_journal_gives_each_player_what_is_theirs(tmp_path: Path) -> None:
    played = play(3, "basic", 2, silent=True)
    path = tmp_path / "game.jsonl"
    watched = WatchedGame(played.dealt, journal=path)
    toucher = None
    for before, action in played.history:
        if before.phase is Phase.PLAY and toucher not in (None, before.turn):
            break
        toucher = before.turn if isinstance(action, Touch) else toucher
        watched.do(action)
    theirs = advice(path, "--level", "memory")
    assert theirs.private
    assert not any("felt" in one.text for one in theirs.hints)
    assert ask(path).stdout.startswith(f"For player {theirs.player} alone:\n")
    recorded = read_journal(path)
    path.unlink()
    journal = Journal(path, sync=False)
    journal.write([msgspec.structs.replace(recorded.opened, options=()), *recorded.lines])
    journal.close()
    assert any("felt" in one.text for one in advice(path, "--level", "memory").hints)
    assert not advice(path).private


def test_a_silent_game_is_silent_to_its_rules_and_after_a_replay_too(tmp_path: Path) -> None:
    """Plans for cards look at the state: of a team that does not talk they are others."""
    played = play(3, "basic", 2, silent=True)
    path = tmp_path / "game.jsonl"
    watched = WatchedGame(played.dealt, journal=path)
    watched.close()
    assert watched.session.tracker.state.game.silent
    recorded = read_journal(path)
    assert recorded.opened.options == ("silent",)
    assert relive(recorded).state.game.silent
    assert fold(GAME, recorded.opened, recorded.lines).state.game.silent
    with pytest.raises(ValueError, match="no option 'loud'; there are: silent"):
        GAME.empty_table("basic", 2, ("loud",))


def test_the_coach_names_the_move_why_and_how_sure(journal: Path) -> None:
    told = advice(journal)
    assert (told.level, told.player) == ("coach", 3)
    assert told.work_left > 0
    best = told.hints[0]
    assert best.action.split()[0] in ("touch", "look")
    assert best.text.startswith(("Touch ", "Look "))
    assert best.chance is not None
    assert 0 <= best.chance <= 1
    assert best.expects.endswith(f"About {told.work_left} more touches and looks.")
    first, *others = ask(journal).stdout.splitlines()
    assert first == f"{best.text} ({best.expects})"
    assert others == [one.text for one in told.hints[1:]]


def test_each_level_leaves_the_rest_to_the_players(journal: Path) -> None:
    levels = {level: advice(journal, "--level", level) for level in ("referee", "memory", "nudge")}
    assert all(one.action == "" and one.worth is None for told in levels.values() for one in told.hints)
    assert len(levels["memory"].hints) == 5
    assert "The bottom one" in levels["memory"].hints[0].text
    assert not any("mattress" in one.text for one in levels["memory"].hints)
    assert levels["nudge"].hints[0].text.endswith("?")
    assert "Touch once" in levels["referee"].hints[0].text


def test_cards_are_advised_on_where_the_player_tells_them(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = play(5, "basic", 2)
    WatchedGame(played.dealt, journal=path)
    *later, tell = advice(path).hints
    assert all(
        one.text.startswith(("If you can play: Touch", "If you get a look through the glass: Look"))
        for one in later
    )
    assert (tell.text, tell.action) == (TELL, "")
    told = advice(path, "--hand", "3, 3 b 9,1")
    assert told.hints[0].action.split()[0] in ("play", "discard")


def test_hints_without_cards_fit_the_phase_and_the_variant() -> None:
    """Nobody is told to check while they draw, nor to look where there is no glass."""
    played = play(2, "5+", 3)
    watched = WatchedGame(played.dealt)
    phases = set()
    for before, action in played.history:
        told = answer(watched.session.statements.recorded, AskHint("coach"))
        verbs = {one.action.partition(" ")[0] for one in told.hints}
        phases.add(before.phase)
        assert "look" not in verbs
        if before.phase is Phase.DRAW and told.hints[-1].text == TELL:
            assert verbs <= {"claim", ""}
        watched.do(action)
    assert {Phase.PLAY, Phase.CHECK, Phase.DRAW} <= phases


@pytest.mark.parametrize(
    ("hand", "says"),
    [("3 3 3", "no hand of 5 cards"), ("3 3 3 4 11", "each 1 to 10 or B"), ("3 3 3 4 W", "each 1 to 10")],
)
def test_a_hand_that_cannot_be_is_refused(tmp_path: Path, hand: str, says: str) -> None:
    path = tmp_path / "game.jsonl"
    WatchedGame(play(5, "basic", 2).dealt, journal=path)
    result = ask(path, "--hand", hand)
    assert isinstance(result.exception, CompanionError)
    assert says in str(result.exception)


def test_a_hand_that_cannot_be_is_refused_in_the_number_of_its_cards() -> None:
    """Who has played four of five cards is told of one card, not of "1 cards"."""
    states = (before for before, _ in play(2, "basic", 3).history if before.phase is Phase.CHECK)
    state = next(one for one in states if len(one.hands[one.turn]) == 1)
    recorded = Recorded(Opened(VERSION, GAME.name, "basic", 3), (Adopted(0.0, GAME.write_state(state)),))
    with pytest.raises(BadInputError, match="'BANANA' is no hand of 1 card;"):
        answer(recorded, AskHint("coach", "BANANA"))


def test_nobody_is_hurried_before_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(checked_journal([encode_line(Opened(VERSION, GAME.name, "basic", 3))]))
    assert ask(path).stdout == "Nobody has to decide anything now.\n"
    assert advice(path).player == 0


def test_what_sensors_forget_amid_doubt_players_still_know(journal: Path) -> None:
    recorded = read_journal(journal)
    state = fold(GAME, recorded.opened, recorded.lines).state
    forgotten = Adopted(0.0, GAME.write_state(state._replace(faces=(UNKNOWN_FACE,) * len(state.faces))))
    after = Recorded(recorded.opened, (*recorded.lines, forgotten))
    memory = answer(after, AskHint("memory"))
    assert memory == answer(recorded, AskHint("memory"))
    assert any("felt" in one.text for one in memory.hints)


def test_what_is_taken_back_was_never_felt() -> None:
    played = play(3, "basic", 3)
    watched = WatchedGame(played.dealt)
    touch = next(at for at, (_, action) in enumerate(played.history) if isinstance(action, Touch))
    for _, action in played.history[:touch]:
        watched.do(action)
    before = answer(watched.session.statements.recorded, AskHint("memory"))
    watched.do(played.history[touch][1])
    assert answer(watched.session.statements.recorded, AskHint("memory")) != before
    watched.session.step([], [Undo()])
    assert answer(watched.session.statements.recorded, AskHint("memory")) == before


def test_cards_laid_open_count_whether_the_record_names_them_or_the_table_knew_the_deck() -> None:
    """Where a recorded table knows its deck, the record says `open` and no more."""
    played = play(2, "5+", 3)
    before, action = next(
        (state, action)
        for state, action in played.history
        if isinstance(action, Open) and state.deck[-1] not in (BLANKET, WITCH)
    )
    kind = before.deck[-1]
    unseen = []
    for text in (RULES.write_action(action), RULES.write_action(Open(kind))):
        lines = (Adopted(0.0, RULES.write_state(before)), Done(0.0, text))
        game = relive(Recorded(Opened(VERSION, GAME.name, "5+", 3), lines))
        unseen.append(team_knowledge(game, range(3)).unseen)
    assert action == Open()
    assert unseen[0] == unseen[1]
    assert unseen[0][kind - 1] == HELPER_COPIES - 1 - before.row.count(kind)


def checked(journal: Path | None = None) -> WatchedGame:
    """A game up to its first touch."""
    played = play(3, "basic", 3)
    watched = WatchedGame(played.dealt, journal=journal)
    for _, action in played.history:
        watched.do(action)
        if isinstance(action, Touch):
            break
    return watched


def test_what_a_player_says_they_felt_counts_and_can_be_said_anew(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    watched = checked(path)
    names = [place.name for place in watched.events[-1].places]
    for told, words in (("2", f"felt like {names[1]}"), ("smooth", "felt smooth")):
        assert watched.session.step([], [Tell(told)]) == []
        memory = answer(watched.session.statements.recorded, AskHint("memory"))
        assert sum(words in one.text for one in memory.hints) == 1
        assert advice(path, "--level", "memory") == memory
    assert replay_journal(path)["matches"]


@pytest.mark.parametrize(
    ("felt", "says"),
    [
        ("6", "no bed 6"),
        ("-1", "nobody can tell '-1'"),
        ("0", "nobody can tell '0'"),
        ("smooth 2", "whose it is or that it is smooth"),
    ],
)
def test_what_nobody_can_have_felt_is_refused(felt: str, says: str) -> None:
    watched = checked()
    with pytest.raises(BadInputError, match=says):
        check_told(last_check(watched.session.statements.recorded), felt)
    before = answer(watched.session.statements.recorded, AskHint("memory"))
    watched.session.step([], [Tell(felt)])  # as a journal might hold it
    assert answer(watched.session.statements.recorded, AskHint("memory")) == before


def test_who_has_just_touched_is_asked_first_what_they_felt() -> None:
    """A pad knows what lies there; the player's fingers go first."""
    watched = checked()
    talk = watched.session.statements
    assert [one.text for one in answer(talk.recorded, AskHint("nudge")).hints] == [ASK_FELT]
    assert answer(talk.recorded, AskHint("coach")).hints[0].action
    watched.session.step([], [Tell("2")])
    assert answer(talk.recorded, AskHint("nudge")).hints[0].text != ASK_FELT


@pytest.mark.parametrize("assist", LEVELS)
def test_no_hint_gives_more_than_the_family_chose(assist: str) -> None:
    recorded = checked().session.statements.recorded
    for level in LEVELS:
        told = answer(recorded, AskHint(level), assist=assist)
        assert told.level == min(level, assist, key=LEVELS.index)
        assert told == answer(recorded, AskHint(told.level), assist=assist)


@pytest.mark.parametrize(("assist", "told"), [("", False), ("memory", True), ("nudge", True), ("coach", True)])
def test_mattresses_are_counted_only_where_the_family_chose_memory_or_more(assist: str, told: bool) -> None:
    watched = checked()
    memory = answer(watched.session.statements.recorded, AskHint("memory"), assist=assist)
    assert all(("3 mattresses" in one.text) is told for one in memory.hints)
    assert any("number 2 from below" in one.text or "the top one" in one.text for one in memory.hints) <= told


def taken(row: str, kind: int) -> Recorded:
    """Player 1 has discarded two cards and taken an open one; nobody knows the rest of the hand."""
    line = BLANK.replace("HANDS", "?,?,?,?,?/?,?,?,?,?/?,?,?,?,?").replace("row=1,2,3,4,5", f"row={row}")
    line = line.replace("deck=?x20", "deck=?x48")
    lines = [Adopted(0.0, line), Done(0.0, "discard 1 2"), Done(0.0, f"take {kind}")]
    return Recorded(Opened(VERSION, GAME.name, "basic", 3), tuple(lines))


def test_a_hand_that_contradicts_what_all_saw_is_refused_with_the_reason() -> None:
    lacking = "saw you take them: 7; name all your cards"
    with pytest.raises(BadInputError, match=lacking):
        answer(taken("5,5,7,9,10", 7), AskHint("coach", "3 3 4 B"))
    many = "you cannot hold 4 cards 7: all saw where the others are, 3 can be yours"
    with pytest.raises(BadInputError, match=many):
        answer(taken("7,7,7,7,9", 7), AskHint("coach", "7 7 7 7"))
    assert answer(taken("5,5,7,9,10", 7), AskHint("coach", "3 3 4 7")).hints[0].action


def test_nothing_was_felt_before_a_touch() -> None:
    watched = WatchedGame(play(3, "basic", 3).dealt)
    with pytest.raises(BadInputError, match="nobody has checked"):
        check_told(last_check(watched.session.statements.recorded), "1")


def test_what_cannot_be_so_is_not_believed() -> None:
    """Three looks, three times the same smooth one: there is only one, so what was said counts for nothing."""
    played = play(3, "basic", 3)
    watched = WatchedGame(played.dealt)
    said = 0
    for _, action in played.history:
        watched.do(action)
        if isinstance(action, Look):
            watched.session.step([], [Tell("smooth 1")])
            said += 1
            assert answer(watched.session.statements.recorded, AskHint("coach")).level == "coach"
        if said == 3:
            break
    assert said == 3


def test_hints_nobody_asks_for_are_not_even_loaded() -> None:
    code = (
        "import sys, companion.session.engine, companion.commands.run; "
        "sys.exit('companion.games.sleepless_princess.hints' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_a_foreign_file_and_an_absent_engine_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not a file" in str(ask("/dev/zero").exception)
    other = tmp_path / "other.jsonl"
    other.write_bytes(checked_journal([encode_line(Opened(VERSION, "sleeping-queens", "basic", 3))]))
    with monkeypatch.context() as without:
        without.setattr("companion.games.registry.load_adviser", lambda _name: None)
        assert "no hints for sleeping-queens" in str(ask(other).exception)
    result = ask("--socket", tmp_path / "nobody.sock")
    assert isinstance(result.exception, SourceError)
    assert "nobody answers" in str(result.exception)
    monkeypatch.setattr(hint_module, "newest_journal", lambda: tmp_path / "journals" / "one.jsonl")
    result = ask("--socket", tmp_path / "nobody.sock")
    assert str(result.exception).endswith("or: companion hint " + str(tmp_path / "journals" / "one.jsonl"))


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_a_damaged_journal_is_advised_on_or_refused_in_a_line(journal: Path, data: st.DataObject) -> None:
    recorded = read_journal(journal)
    lines = [encode_line(line) for line in (recorded.opened, *recorded.lines)]
    at = data.draw(st.sampled_from([n for n, line in enumerate(lines) if not line.startswith(b'{"j":"seen"')]))
    match data.draw(st.sampled_from(["lost", "twice", "garbled", "cut"])):
        case "lost":
            del lines[at]
        case "twice":
            lines.insert(at, lines[at])
        case "garbled":
            lines[at] = lines[at].replace(*data.draw(st.sampled_from(GARBLED)))
        case "cut":
            lines[at:] = [lines[at][:-9]]
    path = journal.with_name("damaged.jsonl")
    path.write_bytes(checked_journal(lines))  # what the damage says is not refused at once
    result = ask(path)
    assert result.exception is None or isinstance(result.exception, CompanionError), result.exc_info


def engine_in(folder: Path, variant: str, source: Told, *, resume: bool) -> Engine:
    """An engine of three players with its socket and its journal in a folder."""
    stream: StreamServer[Event, Command] = StreamServer(folder / "e.sock", Command)
    journal, clock = folder / "game.jsonl", ManualClock()
    return Engine(
        GAME, variant, 3, sources=[source], stream=stream, journals=journal, clock=clock, resume=resume
    )


@pytest.fixture
def engine(begun: Path, tmp_path: Path) -> Engine:
    (tmp_path / "game.jsonl").write_bytes(begun.read_bytes())
    return engine_in(tmp_path, "5+", Told(), resume=True)


def test_a_running_engine_says_what_its_journal_says(engine: Engine, tmp_path: Path, begun: Path) -> None:
    path = tmp_path / "e.sock"
    found: list[Advice | Exception] = []

    def ask_all() -> None:
        for question in (AskHint("coach"), AskHint("memory"), AskHint("genius")):
            try:
                found.append(ask_engine(path, question))
            except BadInputError as error:
                found.append(error)

    asking = threading.Thread(target=ask_all)
    asking.start()
    while asking.is_alive():
        engine.round()
        asking.join(0.001)
    assert found[:2] == [advice(begun), advice(begun, "--level", "memory")]
    assert "no level 'genius'" in str(found[2])
    engine.close()


def test_an_engine_that_is_killed_while_it_is_asked_is_said_to_be_gone(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "e.sock"))
        listener.listen()

        class Killing(ManualClock):
            """At its first look the engine is killed."""

            def now(self) -> float:
                listener.close()  # with the connection that nobody has taken
                return super().now()

        with pytest.raises(SourceError, match="the engine went away"):
            ask_engine(tmp_path / "e.sock", AskHint("coach"), Killing())


class Hasty(ManualClock):
    """A clock on which 3 s pass whenever somebody looks at it."""

    def now(self) -> float:
        self.sleep(3.0)
        return super().now()


@pytest.mark.parametrize("answers", [True, False])
def test_what_is_told_to_all_answers_nobodys_question(tmp_path: Path, answers: bool) -> None:
    server: StreamServer[Event, Command] = StreamServer(tmp_path / "e.sock", Command)
    found: list[object] = []

    def ask() -> None:
        try:
            found.append(ask_engine(tmp_path / "e.sock", AskHint("coach"), Hasty()))
        except SourceError as error:
            found.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    asked = False
    while asking.is_alive():
        asked |= bool(server.poll()[1])
        if asked:
            server.send(Advice("nudge", 1, (), 0, aloud=True))
        if asked and answers:
            server.send(Advice("coach", 1, (), 0))
        asking.join(0.001)
    server.close()
    (told,) = found
    assert told == Advice("coach", 1, (), 0) if answers else "no answer within 20 s" in str(told)


def test_a_hint_that_cannot_be_made_stops_no_game(engine: Engine, tmp_path: Path) -> None:
    engine.session.statements.hear([Revoked(0.0, 10_000)], engine.session.tracker.state)
    client = connect(tmp_path / "e.sock")
    client.sendall(encode_line(AskHint("coach")) + encode_line(Tell("1")))
    for _ in range(3):
        engine.round()
    engine.close()
    refused = [
        event for line in client.makefile("rb") if isinstance(event := decode_line(line, Event), Refused)
    ]
    assert len(refused) == 2
    assert all("does not follow the rules" in one.text for one in refused)


def test_without_a_journal_only_the_own_folders_are_asked(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An engine in the temporary folder may be anybody's; `companion play` writes a journal, too."""
    newest: list[Path | None] = [None]
    own, other = tmp_path / "own", tmp_path / "companion-other"
    for folder in (own, other):
        folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(hint_module, "runtime_dir", lambda: own)
    monkeypatch.setattr(hint_module, "last_journal", lambda: newest[0])
    stream: StreamServer[Event, Command] = StreamServer(other / "engine.sock", Command)
    try:
        result = ask()
        assert isinstance(result.exception, SourceError)
        assert "no game is running, and none was recorded" in str(result.exception)
        newest[0] = journal
        result = ask("--json")
        assert msgspec.json.decode(result.stdout, type=Advice) == advice(journal)
        assert result.stderr == f"{journal}, as it stood at its last line.\n"
    finally:
        stream.close()
    asked: list[Path] = []

    def engine_answers(path: Path, question: AskHint) -> Advice:
        asked.append(path)
        return Advice(question.level, 0, (), 0)

    monkeypatch.setattr(hint_module, "ask_engine", engine_answers)
    assert ask().stdout == "Nobody has to decide anything now.\n"
    assert asked == [own / "engine.sock"]


def test_only_who_asked_is_answered(engine: Engine, tmp_path: Path) -> None:
    """Nothing is volunteered, and a hint for one screen is no other screen's business."""
    one, other = connect(tmp_path / "e.sock"), connect(tmp_path / "e.sock")
    engine.round()
    one.sendall(encode_line(AskHint("coach")) + encode_line(AskHint("genius")))
    for _ in range(3):
        engine.round()
    engine.close()
    heard = [[decode_line(line, Event) for line in client.makefile("rb")] for client in (one, other)]
    answers = [[event for event in events if isinstance(event, Advice | Refused)] for events in heard]
    assert [type(answer) for answer in answers[0]] == [Advice, Refused]
    assert answers[1] == []


@pytest.mark.long
def test_a_sleeping_princess_is_asked_by_her_button(tmp_path: Path) -> None:
    """Her button claims nothing any more: it asks for a hint for all, and pressed again for the move."""
    played = play(4, "5+", 2)
    path = tmp_path / "game.jsonl"
    watched = WatchedGame(played.dealt, journal=path)
    for before, action in played.history:
        if ASLEEP in before.fates and before.touches:
            break
        watched.do(action)
    bed = watched.state.fates.index(ASLEEP) + 1
    watched.close()
    source = Told()
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "e.sock", Command)
    engine = Engine(
        GAME, "5+", 2, sources=[source], stream=stream, journals=path, clock=ManualClock(), resume=True
    )
    client = connect(tmp_path / "e.sock")
    for presses in ([], [Button(0.0, f"bed {bed}")], [], [Button(0.0, f"bed {bed}")], []):
        source.waiting = presses
        engine.round()
    engine.close()
    heard = [decode_line(line, Event) for line in client.makefile("rb")]
    assert [event.level for event in heard if isinstance(event, Advice)] == ["nudge", "coach"]
    assert not [event for event in heard if isinstance(event, Claimed)]


def test_tables_are_made_while_the_game_is_laid_out(tmp_path: Path) -> None:
    """So the first hint on cards is as quick as any other."""
    cards_needed.cache_clear()
    source = Told()
    engine = engine_in(tmp_path, "basic", source, resume=False)
    for counts in ([], [Count(0.0, "bed 1", 1, 1.0)], []):
        assert cards_needed.cache_info().misses == 0
        source.waiting = counts
        engine.round()
    for thread in threading.enumerate():
        if thread.name == "hints":
            thread.join(60)
    engine.close()
    made = cards_needed.cache_info()
    cards_needed(3)
    assert cards_needed.cache_info().misses == made.misses == 1


@pytest.mark.long
def test_the_glass_on_the_pad_asks_for_a_hint_each_time_it_is_laid_there(tmp_path: Path) -> None:
    """The first time a nudge for all, the second the move; lying there it asks no more, elsewhere never."""
    played = play(3, "basic", 3, silent=True)
    path = tmp_path / "game.jsonl"
    watched = WatchedGame(played.dealt, journal=path)
    for before, action in played.history:
        if before.looks:
            break
        watched.do(action)
    state = watched.session.tracker.state
    watched.close()
    source = Told()
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "e.sock", Command)
    clock = ManualClock()
    engine = Engine(
        GAME,
        "basic",
        3,
        sources=[source],
        stream=stream,
        journals=path,
        clock=clock,
        options=("silent",),
        resume=True,
    )
    client = connect(tmp_path / "e.sock")
    glass = (Seen("G", 0.0, 0.0),)
    for zone, cards in (
        ("play", glass),
        ("pad", glass),
        ("pad", glass),
        ("pad", ()),
        ("pad", glass),
        ("pad", ()),
    ):
        source.waiting = [Sighting(0.0, zone, cards)]
        engine.round()
    assert engine.session.tracker.state == state
    engine.close()
    heard = [decode_line(line, Event) for line in client.makefile("rb")]
    told = [event for event in heard if isinstance(event, Advice)]
    # In a silent game, too, all may hear it: then it is made from what all know.
    assert [(event.level, event.private) for event in told] == [("nudge", False), ("coach", False)]


@pytest.mark.long
def test_a_watched_game_can_be_advised_on_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played = play(11, "5+", 2)
    watched = WatchedGame(played.dealt, journal=path)
    for _, action in played.history:
        watched.do(action)
    assert watched.session.over
    assert advice(path).hints == ()
    assert ask(path).stdout == "The game is over.\n"


@pytest.mark.long
@pytest.mark.parametrize(("variant", "seed", "known"), [("basic", 5, False), ("basic", 9, True)])
def test_fingers_tell_nothing_of_what_the_team_knows(
    variant: str, seed: int, known: bool, tmp_path: Path
) -> None:
    """A mattress that is touched to be moved may be smooth; one that nobody knows is a matter of fingers."""
    path, played = tmp_path / "game.jsonl", play(seed, variant, 2)
    watched = WatchedGame(played.dealt, journal=path)
    heard: dict[bool, list[str]] = {True: [], False: []}
    for before, action in played.history:
        if before.touches:
            for one in answer(read_journal(path), AskHint("coach")).hints:
                if one.action.startswith("touch "):
                    sought = "nobody knows" in one.text or "so make sure" in one.text
                    heard[not sought].append(one.expects)
        if len(heard[known]) >= 2:
            break
        watched.do(action)
        watched.say(before, action)
    watched.close()
    assert heard[known]
    assert not any("ingers" in words for words in heard[True])
    assert all(words.startswith("Fingers ") for words in heard[False])
