"""After an undo the hands at the virtual table lay the cards back, and the game goes on from there."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.core.address_card import CONTROL_NAME
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.games.registry import load_game, load_virtual
from companion.games.sleepless_princess.rules.actions import Move, Play
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.rehearse.games_in_pixels import rehearse_game
from companion.sensing.observation import ManualEntry, Observation
from companion.session.entries.player_entries import LAYING_BACK_S
from companion.session.session import Session
from companion.session.stream.commands import CardsLaidBack, Claim, Command, Undo
from companion.session.stream.events import Event, Said
from companion.session.stream.stream import StreamServer, connect, encode_line
from companion.session.stream.virtual_table_events import LayBack, Watching
from companion.virtual.ground_truth import ClaimTruth, TruthEntry, TruthLog
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.table_server import TableServer
from companion.virtual.virtual_table import VirtualTable
from tests.support.virtual_tables import a_table, run, run_until

GAMES = [("sleepless-princess", "basic"), ("sleeping-queens", "basic"), ("sleeping-queens-2", "standard")]


def lying(table: VirtualTable) -> list[tuple[object, ...]]:
    """What lies where and how, from below, and what the scales bear."""
    things = sorted(table.world.things.values(), key=lambda one: one.z)
    loads = sorted(table.rig.loads.items())
    return [*((one.code, one.x, one.y, one.angle, one.side) for one in things), *loads]


@pytest.mark.parametrize(("game", "variant"), GAMES)
def test_cards_are_laid_back_action_by_action(game: str, variant: str) -> None:
    table = a_table(4, variant, 2, game=game, pace=0.05)
    rules = load_game(game)
    run_until(table, lambda: table._game._dealt)
    table.paused = True
    run_until(table, lambda: table.held)
    before = []
    for _ in range(6):
        before.append((table.state, lying(table), len(table.truth.entries)))
        table.step_once()
        run_until(table, lambda count=before[-1][2]: len(table.truth.entries) > count and table.held)
    for state, lay, logged in reversed(before):
        assert table.state != state
        assert table.lay_back(rules.write_state(state), "")
        assert table.laying_back
        run_until(table, lambda: not table.laying_back)
        assert (table.state, lying(table), len(table.truth.entries)) == (state, lay, logged)
        assert not table.lay_back(rules.write_state(state), ""), "it lies so"
    table.paused = False
    run_until(table, lambda: len(table.truth.entries) > before[0][2] + 3)


def test_a_seat_chooses_again_what_was_taken_back() -> None:
    table = a_table(pace=0.05)
    table.take_seat(1)
    run_until(table, lambda: table.pending_choice().actions)
    first, state = table.pending_choice(), table.state
    at = next(n for n, one in enumerate(RULES.legal_actions(state)) if isinstance(one, Play))
    table.choose(at)
    run_until(table, lambda: table.state != state and table.pending_choice().actions)
    assert table.pending_choice().hand != first.hand
    assert table.lay_back(RULES.write_state(state), "")
    assert table.pending_choice().actions, "nobody has seen it begin"
    run_until(table, lambda: not table.laying_back and table.pending_choice().actions)
    assert table.pending_choice() == first
    table.choose(at + 1)
    run_until(table, lambda: table.state != state)


def test_what_runs_ends_first_and_is_laid_back_too() -> None:
    table = a_table(pace=0.3)
    run_until(table, lambda: table._game._dealt)
    table.paused = True
    run_until(table, lambda: table.held)
    state, lay = table.state, lying(table)
    table.paused = False
    run_until(table, lambda: table.world.hand is not None and table.state == state)
    run(table, 0.3)
    table.lay_back(RULES.write_state(state), "")
    run_until(table, lambda: not table.laying_back)
    assert (table.state, lying(table)) == (state, lay)


def test_players_wait_a_while_before_they_play_on() -> None:
    table = a_table(pace=0.05)
    run_until(table, lambda: len(table.truth.entries) >= 30)
    assert table.lay_back(table.truth.entries[-3].state, table.truth.entries[-2].action)
    run_until(table, lambda: not table.laying_back)
    count = len(table.truth.entries)
    run(table, 2)
    assert len(table.truth.entries) == count, "one more may be taken back"
    run(table, 20)
    assert len(table.truth.entries) > count


def test_a_game_that_was_over_goes_on() -> None:
    table = a_table(pace=0.02, rash=1.0)
    run_until(table, lambda: table.over, 2000)
    assert table.lay_back(table.truth.entries[-2].state, table.truth.entries[-1].action)
    run_until_alive(table)
    assert not table.over
    assert table.state == RULES.read_state(table.truth.entries[-1].state)


def run_until_alive(table: VirtualTable) -> None:
    for _ in range(3000):
        table.clock.sleep(1 / 15)
        table.step(table.clock.now())
        if not table.laying_back:
            return
    raise AssertionError("they never lay back")


def test_a_state_that_never_was_lays_nothing_back() -> None:
    table = a_table(pace=0.05)
    run_until(table, lambda: len(table.truth.entries) >= 30)
    other = RULES.setup("basic", 2, Random("another deal"))
    assert not table.lay_back(RULES.write_state(other), "")
    with pytest.raises(BadInputError, match="no state of this game"):
        table.lay_back("rubbish", "")


def test_what_players_knew_then_they_know_again() -> None:
    table = a_table(pace=0.05)
    run_until(table, lambda: any("move" in one.action for one in table.truth.entries), 900)
    moves = [n for n, one in enumerate(table.truth.entries) if isinstance(RULES.read_action(one.action), Move)]
    players = table._game._players
    before = table._game._moments._kept[-1]
    assert players.policy is not before.policy
    assert moves
    table.lay_back(RULES.write_state(before.state), before.action)
    run_until(table, lambda: not table.laying_back)
    assert vars(players.policy._memory) == vars(before.policy._memory)


def test_the_table_tells_its_engine_when_cards_are_laid_back(tmp_path: Path) -> None:
    clock = ManualClock()
    table = VirtualTable(1, "basic", 2, clock=clock, board=NoBoard(), waiting=True, pace=0.05)
    server = TableServer(table, tmp_path / "table.json", clock)
    stream: StreamServer[Event, Command] = StreamServer(tmp_path / "engine.sock", Command)
    engine, heard = connect(tmp_path / CONTROL_NAME), list[Command | str]()

    def rounds() -> Iterator[bool]:
        engine.sendall(encode_line(Watching(str(stream.path))))
        while len(table.truth.entries) < 30:
            yield True
        engine.sendall(encode_line(LayBack(RULES.write_state(RULES.setup("basic", 2, Random(7))))))
        engine.sendall(encode_line(LayBack(table.truth.entries[-2].state, table.truth.entries[-1].action)))
        for _ in range(400):
            heard.extend(command for _, command in stream.poll()[1])
            yield True
            if CardsLaidBack("ends") in heard:
                yield False

    course = rounds()
    server.run(lambda: clock.sleep(0.1) or next(course))
    engine.close()
    stream.close()
    assert heard == [CardsLaidBack("never"), CardsLaidBack("begins"), CardsLaidBack("ends")]


def test_what_changes_nothing_that_a_companion_compares_is_found_by_its_action() -> None:
    table = a_table(pace=0.05)
    run_until(table, lambda: any(one.action.startswith("look") for one in table.truth.entries), 900)
    at = [entry.action[:4] for entry in table.truth.entries].index("look")
    before, look = table.truth.entries[at - 1 : at + 1]
    assert not table._virtual.differences(RULES.read_state(before.state), RULES.read_state(look.state))
    assert table.lay_back(before.state, look.action)


def a_session(told: list[Event]) -> tuple[Session, ManualClock]:
    clock = ManualClock()
    game = load_game("sleepless-princess")
    session = Session(game, "basic", 2, clock=clock, publish=told.append, virtual=True)
    return session, clock


def undone(told: list[Event]) -> tuple[Session, ManualClock, list[tuple[Observation, ...]]]:
    """A session in which a step was just taken back, and all batches that it had got."""
    session, clock = a_session(told)
    doings = load_virtual("sleepless-princess").act_out(3, "basic", 2, 0.0, tapped=True)
    batches = [batch for doing in (*doings.laying_out, *doings.playing[:12]) for batch in doing.batches]
    give(session, clock, batches)
    clock.sleep(10)
    session.step([])
    assert len(session.tracker.steps) > 30
    verdict = session.table.verdict
    assert session.step([], [Undo("" if verdict is None else verdict.id)]) == []
    return session, clock, batches


def give(session: Session, clock: ManualClock, batches: Sequence[tuple[Observation, ...]]) -> None:
    for batch in batches:
        clock.sleep(3)
        session.take(clock.now(), [msgspec.structs.replace(seen, t=clock.now()) for seen in batch])


def test_a_session_concludes_nothing_while_cards_are_laid_back() -> None:
    told: list[Event] = []
    session, clock, batches = undone(told)
    back, steps, state = session.to_lay_back(), len(session.tracker.steps), session.tracker.state
    assert back is not None
    assert back[0] == session.game.write_state(state)
    assert session.to_lay_back() is None, "once for each undo"
    session.step([], [CardsLaidBack("begins")])
    assert any(isinstance(one, Said) and "are laid back" in str(one.text) for one in told)
    assert session.step([], [Claim(1)]) == ["The cards of the virtual table are laid back: one moment."]
    # All that the undone step had left lies there as before, and is seen again.
    give(session, clock, batches[-6:])
    assert (len(session.tracker.steps), session.tracker.state) == (steps, state)
    session.step([], [CardsLaidBack("ends")])
    assert any(isinstance(one, Said) and "lie as before" in str(one.text) for one in told)
    assert not session.tracker.sensed.detections


def test_a_table_that_never_says_that_cards_lie_back_is_not_waited_for_for_ever() -> None:
    session, clock, _ = undone([])
    session.step([], [CardsLaidBack("begins")])
    assert session.entries.laying_back
    clock.sleep(LAYING_BACK_S + 1)
    session.take(clock.now(), [ManualEntry(clock.now(), "companion_is_right")])
    assert not session.entries.laying_back


def test_a_screen_cannot_hold_a_game_in_which_nobody_took_anything_back() -> None:
    told: list[Event] = []
    session, _ = a_session(told)
    session.step([], [CardsLaidBack("begins"), CardsLaidBack("never"), CardsLaidBack("ends")])
    assert not session.entries.laying_back
    assert not any(isinstance(one, Said) for one in told)


def test_a_claim_that_was_taken_back_before_its_verdict_needs_none() -> None:
    truth = TruthLog()
    truth.entries += [
        TruthEntry(9.0, "claim 1", "", 5.0, 1, True),
        TruthEntry(13.0, "claim 2", "", 10.0, 2, False),
    ]
    truth.take_back(0, 10.4)
    assert truth.claims == [ClaimTruth(5.0, 1, True), ClaimTruth(10.0, 2, False, meant=False)]
    assert truth.entries == []


@pytest.mark.long
@pytest.mark.parametrize(("game", "variant"), GAMES)
def test_whole_games_with_undo_end_right(game: str, variant: str) -> None:
    report = rehearse_game(21, variant, 2, game=game, undos=12)
    assert report.undone >= 8
    assert report.troubles == ()
