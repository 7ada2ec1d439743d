"""The virtual table plays the same way every time, and people hold it, take a seat at it and begin anew."""

import hashlib

import msgspec
import pytest

from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.session.stream.events import Table
from companion.virtual.companion_requests import SETUP, Screen, Wanted
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.rig.noise_profiles import PROFILES
from companion.virtual.virtual_table import VirtualTable
from tests.support.virtual_tables import TICK, a_table, run, run_until


class Felt(NoBoard):
    """A board that notes what it was made to feel, and when it lived last."""

    def __init__(self) -> None:
        self.felt: list[tuple[object, ...]] = []
        self.now = 0.0

    def step(self, now: float) -> None:
        self.now = now

    def set_weight(self, station: str, grams: float) -> None:
        self.felt.append((station, grams))

    def stall(self, seconds: float) -> None:
        self.felt.append(("stall", seconds))


def test_how_long_the_players_waited_changes_nothing() -> None:
    """All times are whole 64ths of a second, so that no rounding tells one clock from another."""

    def played(start: float, wait: float) -> tuple[object, ...]:
        clock, board = ManualClock(start), Felt()
        table = VirtualTable(
            3, "basic", 2, clock=clock, board=board, noise="hostile", pace=0.25, waiting=wait > 0
        )
        table.frame()
        until = clock.now() + wait
        while clock.now() < until:
            clock.sleep(1 / 64)
            table.step(clock.now())
            if clock.now() % 8 == 0:
                table.frame()
        assert (table.truth.entries, board.felt) == ([], [])
        table.begin()
        for _ in range(64 * 25):
            clock.sleep(1 / 64)
            table.step(clock.now())
        assert board.now == clock.now(), "the board's time has gone on all the while"
        return table.truth.entries, table.frame().tobytes(), board.felt

    entries, frame, felt = played(4096.0, 40.25)
    assert len(entries) > 5
    assert {("stall", 0.2)} < set(felt)
    assert (entries, frame, felt) == played(0.0, 0.125)


def test_people_begin_after_some_time_whatever_the_screen_asks_for() -> None:
    table = a_table(5, pace=0.25)
    table.wanted = Wanted(tuple(range(5)), ("row",), SETUP)
    run_until(table, lambda: len(table.truth.entries) > 27)


def test_nobody_plays_on_while_the_screen_says_that_the_game_is_over() -> None:
    table = a_table(5, pace=0.25)
    run_until(table, lambda: len(table.truth.entries) > 27)
    screen, shown = Screen(lambda _table, _text: Wanted((1,))), Table("play", "", 3, 1, ())
    screen.take(msgspec.structs.replace(shown, over=True))
    table.wanted = screen.wanted
    run_until(table, lambda: table.over)
    played = len(table.truth.entries)

    def pass_time(seconds: float) -> None:
        for _ in range(round(seconds / TICK)):
            table.clock.sleep(TICK)
            table.step(table.clock.now())

    pass_time(20.0)
    assert len(table.truth.entries) == played
    screen.take(shown)  # somebody took the end back
    table.wanted = screen.wanted
    pass_time(20.0)
    assert len(table.truth.entries) > played
    assert not table.over


def digest(seed: int, noise: str, steps: int = 400) -> tuple[str, str]:
    table = a_table(seed, noise=noise)
    pictures = hashlib.sha256()
    for n in range(steps):
        table.clock.sleep(TICK)
        table.step(table.clock.now())
        if n % 60 == 0:
            pictures.update(table.frame().tobytes())
    return pictures.hexdigest(), "\n".join(str(entry) for entry in table.truth.entries)


@pytest.mark.quick(1)
@pytest.mark.parametrize("noise", ["clean", "home"])
def test_same_seed_same_game_same_pixels(noise: str) -> None:
    first, again = digest(3, noise), digest(3, noise)
    assert first == again
    assert digest(4, noise, 61) != digest(3, noise, 61)


def test_pause_step_and_speed() -> None:
    table = a_table(pace=0.2)
    run_until(table, lambda: len(table.truth.entries) >= 26)
    table.paused = True
    run(table, 20)
    held = len(table.truth.entries)
    run(table, 30)
    assert len(table.truth.entries) == held
    assert table.world.hand is None
    table.step_once()
    run(table, 30)
    assert len(table.truth.entries) == held + 1
    table.paused = False
    table.speed = 99
    assert table.speed == 8
    run(table, 30)
    assert len(table.truth.entries) > held + 3


def test_a_person_takes_a_seat() -> None:
    table = a_table(pace=0.1)
    with pytest.raises(BadInputError, match="no player 3"):
        table.take_seat(3)
    assert table.pending_choice() is None
    table.take_seat(1)
    assert table.pending_choice().actions == ()
    with pytest.raises(BadInputError, match="not your turn"):
        table.choose(0)
    run_until(table, lambda: table.pending_choice().actions)
    choice = table.pending_choice()
    assert choice.player == 1
    assert len(choice.hand) == 5
    count = len(table.truth.entries)
    run(table, 30)
    assert len(table.truth.entries) == count, "the table waits for the person"
    with pytest.raises(BadInputError, match="no choice"):
        table.choose(len(choice.actions))
    wish = next(n for n, text in enumerate(choice.actions) if text.startswith("Discard"))
    table.choose(wish)
    run_until(table, lambda: len(table.truth.entries) > count)
    assert table.truth.entries[count].action.startswith("discard")
    table.take_seat(0)
    assert table.seat == 0
    run_until(table, lambda: len(table.truth.entries) > count + 6)


def test_somebody_calls_a_claim() -> None:
    table = a_table(3, pace=0.2)
    with pytest.raises(BadInputError):
        table.call_claim(1)  # nothing is dealt yet
    run_until(table, lambda: len(table.truth.entries) > 25)
    table.paused = True
    table.call_claim(4)
    run_until(table, lambda: bool(table.truth.claims))
    assert [claim.subject for claim in table.truth.claims] == [4]
    assert table.state.fates[3] != 0
    with pytest.raises(BadInputError):
        table.call_claim(4)


def test_restart_clears_the_table() -> None:
    table = a_table(pace=0.1)
    run(table, 60)
    assert table.world.things
    table.restart()
    assert table.seed == 2
    assert not table.world.things
    run(table, 1.5)
    assert not table.world.things
    assert not table.truth.entries
    run_until(table, lambda: table.truth.entries)
    other = a_table(2, pace=0.1)
    assert RULES.write_state(other.state) == RULES.write_state(table.state)


def test_profiles_get_worse() -> None:
    assert list(PROFILES) == ["clean", "home", "unkind", "evening", "rough", "hostile"]
    glare = [noise.glare for noise in PROFILES.values()]
    assert glare == sorted(glare)
    with pytest.raises(BadInputError, match="no noise profile"):
        a_table(noise="perfect")


def test_a_seat_that_is_taken_while_its_player_thinks_is_the_persons_at_once() -> None:
    """At each moment of a turn that has begun: nothing is played that the person did not choose."""
    for late in (0.05, 0.3, 0.6):
        table = a_table(pace=1.0)
        run_until(table, lambda table=table: table._game._dealt)
        run_until(table, lambda table=table: table._game._busy and table.world.hand is None)
        run(table, late)
        assert table.world.hand is None, "nothing has moved yet"
        state = table.state
        table.take_seat(state.turn + 1)
        run(table, 30)
        assert table.state == state
        assert table.pending_choice().actions
