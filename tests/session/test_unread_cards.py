"""A card of an open row that cannot be read is named after a while, once, with what to do."""

from companion.core.clock import ManualClock
from companion.games.registry import load_game
from companion.sensing.observation import UNREAD, Seen, Sighting
from companion.session.session import Session
from companion.session.stream.events import Event, Said
from companion.session.unread_cards import UNREAD_S

STEP_S = 0.5


class Watched:
    """A table whose row changes, and what is said of it."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.events: list[Event] = []
        game = load_game("sleepless-princess")
        self.session = Session(game, "basic", 2, clock=self.clock, publish=self.events.append)

    def lies(self, *codes: str, seconds: float = UNREAD_S + 1) -> list[str]:
        """Lay these cards out, from right to left as a camera may list them; what is said until `seconds`
        later."""
        told = len(self.events)
        cards = [Seen(code, 70.0 * number, 0.0) for number, code in enumerate(codes)]
        self.session.take(self.clock.now(), [Sighting(self.clock.now(), "row", tuple(reversed(cards)))])
        for _ in range(round(seconds / STEP_S)):
            self.clock.sleep(STEP_S)
            self.session.take(self.clock.now(), [])
        said = [event for event in self.events[told:] if isinstance(event, Said)]
        return [event.text for event in said if "cannot read" in event.text]


def test_an_unread_card_of_the_row_is_named_once_until_it_is_read() -> None:
    table = Watched()
    line = "I cannot read open card 3 from the left: turn it a little."
    assert table.lies("H03A", "H09B", UNREAD, "H04A") == [line]
    assert table.lies("H03A", "H09B", UNREAD, "H05A") == []
    assert table.lies("H03A", "H09B", "H01A", "H05A") == []
    assert table.lies(UNREAD, "H09B", "H01A", "H05A") == [line.replace("3", "1")]


def test_a_card_that_is_read_in_time_is_not_named() -> None:
    table = Watched()
    assert table.lies("H03A", UNREAD, seconds=UNREAD_S - 1) == []
    assert table.lies("H03A", "H09B") == []


def test_of_two_unread_cards_the_second_is_named_when_the_first_is_read() -> None:
    table = Watched()
    assert len(table.lies(UNREAD, "H09B", UNREAD)) == 1
    assert table.lies("H03A", "H09B", UNREAD) == ["I cannot read open card 3 from the left: turn it a little."]
