"""A first game explained: each rule when it first matters, with the rulebook's section."""

from collections.abc import Sequence

from companion.session.events import Claimed, ClaimHeard, Event, LessonView, Table


class Lessons:
    """Hears what a screen hears. `due` is the lesson to read now; each comes once."""

    def __init__(self) -> None:
        self.on = False
        """Whether somebody wants to learn."""
        self.due: LessonView | None = None
        self._left: list[LessonView] = []

    def begin(self, lessons: Sequence[LessonView]) -> None:
        """The lessons of a game, once for every game on the table."""
        self._left = list(lessons)
        self.due = None

    def hear(self, event: Event) -> None:
        """Take an event: it may bring a lesson. One that is being read stays until it is read."""
        if not self.on or self.due is not None:
            return
        now = _matters(event)
        self.due = next((one for one in self._left if one.when in now), None)
        if self.due is not None:
            self._left.remove(self.due)

    def read(self) -> None:
        """It has been read."""
        self.due = None


def _matters(event: Event) -> frozenset[str]:
    """What of `LessonView.when` holds with this event."""
    match event:
        case ClaimHeard():
            return frozenset({"claim"})
        case Claimed():
            return frozenset({"claim", "verdict"})
        case Table():
            cards = [*event.played, *(card for row in event.rows for card in row.cards)]
            cards += [pile.top for pile in event.piles if pile.top is not None]
            found = {f"phase {event.phase}", *(f"card {card.kind}" for card in cards)}
            found |= {"last turns"} if event.last_turns is not None else set()
            return frozenset(found)
    return frozenset()
