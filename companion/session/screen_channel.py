"""All screens of one table as the session sees them: one channel for events, and what it carried last."""

from collections.abc import Callable, Iterable, Mapping

from companion.core.board_state import BoardState
from companion.session.sensor_monitor import SENSORS
from companion.session.stream.events import Event, Question, Said, SensorHealth

KEPT_SENTENCES = 50
"""Number of sentences that a new screen gets."""


class Screens:
    """Sends events to all screens, and keeps those that a screen needs which connects later.

    `publish` gets every event. `health`: sensor -> its last report. `question`: what people are asked; its
    text is empty for nothing. `silent`: True while a recorded game is replayed: nothing is sent.
    """

    def __init__(self, publish: Callable[[Event], None], health: Mapping[str, SensorHealth]) -> None:
        self.health = dict(health)
        self.question = Question("")
        self.silent = False
        self._publish = publish
        self._said: list[Said] = []
        self._board: BoardState | None = None

    def show(self, event: Event) -> None:
        """Send an event. Reports of more than SENSORS sensors are dropped."""
        match event:
            case SensorHealth(source):
                if source not in self.health and len(self.health) >= SENSORS:
                    return
                self.health[source] = event
            case Question():
                self.question = event
            case Said():
                self._said = [*self._said[1 - KEPT_SENTENCES :], event]
        self.send(event)

    def await_news(self, sources: Iterable[str]) -> None:
        """Forget the last reports of sensors that start again; screens show them as starting."""
        for source in sources:
            self.health.pop(source, None)

    def show_board(self, board: BoardState | None) -> None:
        """Send the state of the board's connection if it is a new one."""
        if board is not None and board != self._board:
            self._board = board
            self.send(board)

    def send(self, event: Event) -> None:
        """Send an event that no later screen needs."""
        if not self.silent:
            self._publish(event)

    def kept(self) -> list[Event]:
        """Events for a screen that connects now: health, sentences, board, open question."""
        events: list[Event] = [*self.health.values(), *self._said]
        if self._board is not None:
            events.append(self._board)
        if self.question.text:
            events.append(self.question)
        return events
