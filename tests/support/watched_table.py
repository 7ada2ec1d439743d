"""A game of cards in front of a session, action by action, as a perfect camera reports it."""

from typing import Any

from companion.core.clock import ManualClock
from companion.games.rules import Rules
from companion.games.table_game import TableGame
from companion.session.session import Session
from companion.session.stream.events import Event, Said, Table


class WatchedTable:
    """`rules`: what really happens. `rig`: the game's `PerfectRig`. `dealt`: a state with all cards known."""

    def __init__(
        self, game: TableGame[Any, Any], rules: Rules[Any, Any], variant: str, rig: Any, dealt: Any
    ) -> None:
        self.rules, self.rig, self.state = rules, rig, dealt
        self.clock = ManualClock()
        self.rests_s = 2.0
        """Time (s) for which the table rests after each batch."""
        self.events: list[Event] = []
        self.session = Session(game, variant, dealt.players, clock=self.clock, publish=self.events.append)
        for batch in rig.setup(dealt):
            self.see(batch)

    def see(self, batch: list[Any]) -> None:
        self.clock.sleep(max(0.0, self.rig.t + 0.1 - self.clock.now()))
        self.session.take(self.clock.now(), batch)
        self.rest(self.rests_s)

    def rest(self, seconds: float) -> None:
        """Nothing moves for a while."""
        for _ in range(round(seconds / 0.25)):
            self.clock.sleep(0.25)
            self.session.take(self.clock.now(), [])
        self.rig.t = self.clock.now()

    def do(self, *actions: str) -> None:
        for text in actions:
            action = self.rules.read_action(text)
            after = self.rules.apply(self.state, action)
            for batch in self.rig.notice(self.state, action, after):
                self.see(batch)
            self.state = after

    @property
    def said(self) -> list[str]:
        """What was told, whether it is firm or still provisional."""
        firm = [event.text for event in self.events if isinstance(event, Said)]
        return [*firm, *self.table.provisional]

    @property
    def table(self) -> Table:
        return [event for event in self.events if isinstance(event, Table)][-1]
