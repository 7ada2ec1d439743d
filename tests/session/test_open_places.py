"""What lies open in front of players counts, however it came there: no score contradicts it."""

from random import Random

import pytest

from companion.core.clock import ManualClock
from companion.games.registry import load_game
from companion.games.sleeping_queens.rules.kinds import EMPTY, QUEEN_NAMES, UNKNOWN_QUEEN
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.sensing.observation import UNREAD, ManualEntry, Observation, Seen, Sighting
from companion.session.entries.without_keys import COUNTED
from companion.session.session import Session
from companion.session.stream.events import Event, Question, Said, Score
from companion.virtual.games.sleeping_queens.perfect_camera import PerfectRig
from tests.support.heard import hear

GAME = load_game("sleeping-queens")
CODES = {card.kind: card.code for card in GAME.cards("basic")}
AWAKE = (("Cake", "Rainbow", "Peacock", "Moon"), ("Starfish", "Sunflower", "Ladybug", "Pancake"))
"""In front of two players: whoever wakes one more queen wins."""
CELL = 1
"""The place where the Heart queen sleeps."""


def numbers(names: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(sorted(map(QUEEN_NAMES.index, names)))


def table(awake: tuple[tuple[str, ...], ...], turn: int = 0) -> State:
    """The beginning of a turn of a player (from 0) with these queens awake; nobody knows who sleeps where."""
    awake_now = tuple(map(numbers, awake))
    asleep = len(QUEEN_NAMES) - sum(map(len, awake))
    cells = (UNKNOWN_QUEEN,) * asleep + (EMPTY,) * (len(QUEEN_NAMES) - asleep)
    dealt = RULES.empty_table("basic", len(awake))
    return dealt._replace(awake=awake_now, cells=cells, turn=turn, acting=turn, turns=9)


class Desk:
    """A session that believes a state, and a camera that has seen its table."""

    def __init__(self, believed: State) -> None:
        self.clock, self.events = ManualClock(), list[Event]()
        self.session = Session(GAME, "basic", believed.players, clock=self.clock, publish=self.events.append)
        self.session.tracker.begin(believed)
        rig = PerfectRig(GAME.cards("basic"), Random(1))
        self.take(*(one for batch in rig.setup(believed) for one in batch), seconds=5)

    def take(self, *observations: Observation, seconds: float = 1) -> None:
        hear(self.session, self.clock, *observations, seconds=seconds)

    def lies(self, zone: str, *kinds: str, seconds: float = 1) -> None:
        """These kinds lie in a zone; "?" cannot be read."""
        codes = (UNREAD if kind == "?" else CODES[kind] for kind in kinds)
        seen = tuple(Seen(code, 10.0 * at, 0) for at, code in enumerate(codes))
        self.take(Sighting(0, zone, seen), seconds=seconds)

    def wakes(self, player: int, *, shown: bool) -> None:
        """A player (from 0) plays a king and takes the Heart queen; she is seen on her place, or only then."""
        self.lies("play", "KI", seconds=4)
        if shown:
            self.lies(f"queen {CELL + 1}", "Heart", seconds=4)
        self.lies(f"queen {CELL + 1}", seconds=0)
        self.lies(f"player {player + 1}", *AWAKE[player], "Heart", seconds=30)

    @property
    def state(self) -> State:
        state: State = self.session.tracker.state
        return state

    @property
    def scores(self) -> list[str]:
        return [one.line for one in self.events if isinstance(one, Score)]

    @property
    def said(self) -> list[str]:
        return [one.text for one in self.events if isinstance(one, Said)]


@pytest.mark.parametrize("shown", [True, False])
def test_a_turn_that_nobody_saw_credits_no_queen_to_the_wrong_player(shown: bool) -> None:
    desk = Desk(table(AWAKE))
    # Player 1 has discarded a card, swept it, and it is the turn of player 2.
    desk.wakes(1, shown=shown)
    assert desk.state.phase is Phase.OVER
    assert QUEEN_NAMES.index("Heart") in desk.state.awake[1]
    assert len(desk.scores) == 1
    assert "player 2 wins" in desk.scores[0].lower()


def test_a_queen_that_lies_where_her_player_has_her_is_scored_without_a_word() -> None:
    desk = Desk(table(AWAKE))
    desk.wakes(0, shown=True)
    assert len(desk.scores) == 1
    assert "player 1 wins" in desk.scores[0].lower()
    assert not any(one.kind == "repair" for one in desk.events if isinstance(one, Said))


def test_a_score_that_the_table_contradicts_is_asked_about_while_a_queen_is_unread() -> None:
    desk = Desk(table(AWAKE))
    desk.lies("player 1", *AWAKE[0][1:], "?", seconds=0)
    desk.wakes(1, shown=True)
    assert desk.scores == []
    assert any(isinstance(one, Question) and one.text for one in desk.events)
    desk.lies("player 1", *AWAKE[0], seconds=10)
    assert len(desk.scores) == 1
    assert "player 2 wins" in desk.scores[0].lower()


def late() -> tuple[State, Desk]:
    """A game in which the Moon queen was woken and never read; and who follows it."""
    true = table((("Cake", "Moon"), ("Starfish",)), turn=1)
    desk = Desk(true)
    believed = table((("Cake",), ("Starfish",)), turn=1)
    desk.session.tracker.begin(believed)
    desk.lies("player 1", "Cake", "?", seconds=30)
    return true, desk


def test_a_queen_who_is_read_long_after_she_was_woken_is_counted_where_she_lies() -> None:
    true, desk = late()
    desk.lies("player 1", "Cake", "Moon", seconds=10)
    assert desk.state.awake == true.awake
    assert (desk.state.phase, desk.state.turn, desk.state.turns) == (Phase.PLAY, 1, 9)
    assert desk.said[-1] == COUNTED
    assert desk.session.tracker.differences() == ()


def test_she_is_counted_between_two_plays_and_not_amid_one() -> None:
    true, desk = late()
    desk.lies("play", "3", seconds=0)
    desk.lies("player 1", "Cake", "Moon", seconds=30)
    assert (desk.state.phase, desk.state.turn) == (Phase.REFILL, 1)
    desk.lies("play", seconds=0)
    desk.lies("discard", "3", seconds=20)
    assert desk.state.awake == true.awake
    assert (desk.state.phase, desk.state.turn, desk.state.turns) == (Phase.PLAY, 0, 10)


def test_nothing_is_counted_while_the_game_is_paused() -> None:
    _, desk = late()
    desk.take(ManualEntry(0, "pause", {"paused": True}))
    before = desk.state
    desk.lies("player 1", "Cake", "Moon", seconds=20)
    assert desk.state == before
    desk.take(ManualEntry(0, "pause", {"paused": False}), seconds=10)
    assert QUEEN_NAMES.index("Moon") in desk.state.awake[0]


def test_queens_that_are_pushed_together_after_the_score_change_nothing() -> None:
    desk = Desk(table(AWAKE))
    desk.wakes(0, shown=True)
    over = desk.state
    desk.lies("player 2", seconds=0)
    desk.lies("player 1", *AWAKE[0], "Heart", *AWAKE[1], seconds=20)
    assert desk.state == over
    assert len(desk.scores) == 1


def test_what_people_take_back_is_not_counted_again_at_once() -> None:
    desk = Desk(table(AWAKE))
    desk.wakes(0, shown=True)
    desk.take(ManualEntry(0, "undo"), seconds=20)
    assert desk.state.phase is Phase.WAKE
    assert len(desk.scores) == 1
    _, late_desk = late()
    late_desk.lies("player 1", "Cake", "Moon", seconds=10)
    late_desk.take(ManualEntry(0, "undo"), seconds=20)
    assert QUEEN_NAMES.index("Moon") not in late_desk.state.awake[0]
