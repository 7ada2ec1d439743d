"""A claim of a win waits while the camera cannot read a queen that matters; shown, she settles it."""

from pathlib import Path
from random import Random

import pytest

from companion.core.clock import ManualClock
from companion.games.registry import load_game
from companion.games.sleeping_queens.rules.actions import Wake
from companion.games.sleeping_queens.rules.kinds import EMPTY, UNKNOWN_QUEEN
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.sensing.observation import UNREAD, ManualEntry, Observation, Seen, Sighting
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.session import Session
from companion.session.stream.events import Claimed, ClaimHeard, Event, Score
from companion.virtual.games.sleeping_queens.perfect_camera import PerfectRig
from tests.support import sleeping_queens
from tests.support.heard import hear

GAME = load_game("sleeping-queens")
WALK = list(sleeping_queens.walk("basic", 2, 2))
LAST, WAKING, OVER = WALK[-1]
"""The move that wins: a queen is woken."""
CELL = WAKING.cell if isinstance(WAKING, Wake) else -1
WINNER = LAST.acting
PLACE = f"player {WINNER + 1}"


class Desk:
    """A session of a game that has come to a state."""

    def __init__(self, believed: State, journal: Journal | None = None) -> None:
        self.clock, self.said = ManualClock(), list[Event]()
        self.session = Session(GAME, "basic", 2, clock=self.clock, publish=self.said.append, journal=journal)
        self.session.tracker.begin(believed._replace(fresh=0))
        self.cards = {card.kind: card.code for card in GAME.cards("basic")}

    def take(self, *observations: Observation, seconds: float = 1) -> None:
        hear(self.session, self.clock, *observations, seconds=seconds)

    def lies(self, state: State) -> None:
        """The camera sees the table of a state."""
        rig = PerfectRig(GAME.cards("basic"), Random(1))
        for kind in state.played:
            rig._copies.play(kind)
        self.take(*(one for batch in rig.setup(state) for one in batch), seconds=5)

    def in_front(self, queens: tuple[int, ...], unread: int = 0) -> None:
        """The camera sees these queens in front of who claims, and unread ones."""
        names = GAME.expected_view(OVER._replace(awake=((),) * WINNER + (queens,) + ((),))).zones[PLACE]
        codes = (*(self.cards[name] for name in names), *(UNREAD,) * unread)
        self.take(Sighting(0, PLACE, tuple(Seen(code, 10.0 * at, 0) for at, code in enumerate(codes))))

    def claim(self) -> None:
        self.take(ManualEntry(0, "claim", {"station": PLACE}), seconds=4)

    @property
    def verdicts(self) -> list[str]:
        return [one.verdict for one in self.said if isinstance(one, Claimed)]

    def heard(self, kind: type) -> list[Event]:
        return [one for one in self.said if isinstance(one, kind)]


def awake(state: State) -> tuple[int, ...]:
    return state.awake[WINNER]


def unread_long_ago(queens: int = len(awake(OVER))) -> tuple[State, State, int]:
    """A table with so many queens of the winner; as a camera believes it that never read one of them: she still
    sleeps on her place; and that queen."""
    own, asleep = awake(OVER)[:queens], awake(OVER)[queens:]
    free = [at for at, one in enumerate(OVER.cells) if one == EMPTY]
    lost, cell = own[0], free.pop()
    again = dict(zip(free, asleep, strict=False))
    table = OVER._replace(
        cells=tuple(again.get(at, one) for at, one in enumerate(OVER.cells)),
        awake=tuple(own if player == WINNER else one for player, one in enumerate(OVER.awake)),
        phase=Phase.REFILL,
        acting=OVER.turn,
    )
    cells = tuple(UNKNOWN_QUEEN if at == cell else one for at, one in enumerate(table.cells))
    read = tuple(own[1:] if player == WINNER else one for player, one in enumerate(table.awake))
    return table, table._replace(awake=read, cells=cells), lost


def test_a_queen_that_was_woken_unread_is_asked_for_and_ends_the_game_when_she_is_shown() -> None:
    desk = Desk(LAST)
    desk.lies(LAST)
    desk.take(Sighting(0, f"queen {CELL + 1}", ()))
    desk.in_front(awake(LAST), unread=1)
    desk.claim()
    assert len(desk.heard(ClaimHeard)) == 1
    (said,) = desk.heard(Claimed)
    assert isinstance(said, Claimed)
    assert said.verdict == "cannot tell"
    assert said.reasons == (f"I cannot read every queen in front of player {WINNER + 1}.",)
    assert said.show == "the queen that is unread"
    desk.take(seconds=30)
    assert len(desk.heard(Claimed)) == 1
    assert desk.session.table.open_claims == (said.name,)
    desk.in_front(awake(OVER))
    desk.take(seconds=8)
    assert desk.heard(Score)
    assert len(desk.heard(Claimed)) == 1
    assert not desk.session.table.open_claims


def test_a_queen_that_was_never_read_is_no_reason_to_say_not_yet(tmp_path: Path) -> None:
    table, believed, lost = unread_long_ago()
    journal = Journal(tmp_path / "game.jsonl")
    desk = Desk(believed, journal)
    desk.lies(table)
    desk.in_front(awake(believed), unread=1)
    desk.claim()
    assert desk.verdicts == ["cannot tell"]
    desk.in_front(awake(table))
    desk.take(seconds=8)
    assert lost in awake(desk.session.tracker.state)
    assert desk.heard(Score)
    assert desk.verdicts == ["cannot tell"]
    desk.session.keep()
    journal.close()
    recorded = read_journal(tmp_path / "game.jsonl")
    assert fold(GAME, recorded.opened, recorded.lines).state == desk.session.tracker.state


def test_queens_that_are_shown_and_do_not_win_are_judged_as_ever() -> None:
    table, believed, _ = unread_long_ago(4)
    desk = Desk(believed)
    desk.lies(table)
    desk.in_front(awake(believed), unread=1)
    desk.claim()
    desk.in_front(awake(table))
    desk.take(seconds=8)
    assert desk.verdicts == ["cannot tell", "refuted"]
    assert not desk.heard(Score)


def test_an_unread_card_that_changes_nothing_delays_no_claim() -> None:
    table, believed, _ = unread_long_ago(2)
    desk = Desk(believed)
    desk.lies(table)
    desk.in_front(awake(believed), unread=1)
    desk.take(ManualEntry(0, "claim", {"station": PLACE}), seconds=1)
    assert desk.verdicts == ["refuted"]


@pytest.mark.parametrize("seconds", [0.5, 1.0])
def test_a_card_that_a_hand_covers_for_a_moment_is_not_told(seconds: float) -> None:
    desk = Desk(LAST)
    desk.lies(LAST)
    desk.take(Sighting(0, f"queen {CELL + 1}", ()))
    desk.in_front(awake(LAST), unread=1)
    desk.take(ManualEntry(0, "claim", {"station": PLACE}), seconds=seconds)
    desk.in_front(awake(OVER))
    desk.take(seconds=8)
    assert desk.heard(Score)
    assert not desk.heard(Claimed)
