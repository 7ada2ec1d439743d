"""The keys of a virtual table: its socket, its controls, and the seat that a person may take."""

from collections.abc import Sequence

from textual.binding import Binding

from companion.core.language import localized, tr
from companion.core.sensor_terms import sensor_name
from companion.dashboard.labels import ENDS_GAME
from companion.dashboard.screens.dialogs import SURE, LineScreen, PickScreen
from companion.dashboard.screens.truth_screen import TruthScreen
from companion.dashboard.sound import Sound
from companion.dashboard.table_view import TableView
from companion.session.stream.events import Refused
from companion.session.stream.stream_client import SocketPath, StreamClient
from companion.session.stream.virtual_table_events import (
    Choose,
    Restart,
    SetFault,
    SetPaused,
    SetSpeed,
    ShowTruth,
    Step,
    TableState,
    TakeSeat,
    WorldCommand,
    WorldEvent,
)

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
"""SPEEDS: speeds of the virtual players, as multiples of the usual one."""


class VirtualTableKeys:
    """Keys that control a virtual table, and the seat a person takes there.

    `table`: its control socket; None: the keys do nothing. `show_truth`: True to offer the page with the true
    cards. `seat`: seat (from 1) to take as soon as the virtual table answers; 0 for none.
    """

    BINDINGS: Sequence[Binding] = (
        Binding("space", "hold", "hold the players"),
        Binding("plus,equals_sign", "faster", "faster"),
        Binding("minus", "slower", "slower"),
        Binding("full_stop", "step", "one step"),
        Binding("r", "restart", "new game"),
        Binding("s", "seat", "take a seat"),
        Binding("m", "hand", "hide or show your hand"),
        Binding("x", "fault", "break or mend a part"),
        Binding("v", "truth", "truth"),
    )

    def __init__(
        self,
        view: TableView,
        sound: Sound,
        table: SocketPath | None,
        *,
        show_truth: bool = False,
        seat: int = 0,
    ) -> None:
        self._view, self._sound = view, sound
        self.model, self.world = view.model, view.world
        self.show_truth = show_truth
        self._seat_wanted = seat
        self.client: StreamClient[WorldEvent, WorldCommand] | None = None
        if table is not None:
            self.client = StreamClient(table, WorldEvent, self.take, self.linked)

    def linked(self, live: bool) -> None:
        """Note that the virtual table's connection was made or lost.

        `live`: True if made. The true cards are then asked for, if `show_truth`.
        """
        self.world.connected(live)
        if live and self.show_truth and self.client is not None:
            self.client.send(ShowTruth())
        self._view.changed()

    def take(self, event: WorldEvent) -> None:
        """Show and speak an event of the virtual table.

        At its first state, the wanted seat is taken.
        """
        self.world.take(event)
        if isinstance(event, TableState) and self._seat_wanted:
            self.order(TakeSeat(self._seat_wanted))
            self._seat_wanted = 0
        self._sound.hear_world(event, self.world, self.model.names)
        if isinstance(event, Refused):
            self._view.notice(event.text)
        self._view.changed()

    def order(self, command: WorldCommand) -> None:
        """Send the virtual table a command; ignored without a connection."""
        if self.client is not None and self.world.attached:
            self.client.send(command)

    def action_hold(self) -> None:
        """Pause the virtual players, or let them go on."""
        if self.world.state is not None:
            self.order(SetPaused(not self.world.state.paused))

    def action_faster(self) -> None:
        """Speed up the virtual players by one of SPEEDS."""
        self._speed(min((s for s in SPEEDS if s > self._pace), default=SPEEDS[-1]))

    def action_slower(self) -> None:
        """Slow down the virtual players by one of SPEEDS."""
        self._speed(max((s for s in SPEEDS if s < self._pace), default=SPEEDS[0]))

    @property
    def _pace(self) -> float:
        return self.world.state.speed if self.world.state else 1.0

    def _speed(self, speed: float) -> None:
        self.order(SetSpeed(speed))

    def action_step(self) -> None:
        """Let the paused virtual players carry out one action.

        Then they pause again.
        """
        self.order(Step())

    def action_restart(self) -> None:
        """Ask for a seed, then begin a new game at the virtual table.

        While a game is on, its end must be confirmed first. An empty line, or one that is no number, leaves the
        seed to the virtual table.
        """
        if not self.world.attached:
            return None

        def answer(text: str | None) -> None:
            if text is not None:
                self.order(Restart(int(text) if text.lstrip("-").isdigit() else None))
                self._view.notice(tr("A new table is laid: one moment."))

        def confirmed(key: str | None) -> None:
            if key:
                wanted = tr("Seed (empty: the next one), enter to deal:")
                self._view.open(LineScreen(tr("A new game on the virtual table"), wanted, number=True), answer)

        table = self.model.table
        if table is None or not table.turn or table.over:
            return confirmed("y")
        options = [("y", tr("yes, a new game"))]
        self._view.open(PickScreen(localized(ENDS_GAME), options), confirmed)
        return None

    def action_seat(self) -> None:
        """Ask which player's seat to take at the virtual table.

        Who already has a seat gives it back, without a question.
        """
        if not self.world.attached:
            return
        if self.world.seat:
            self.order(TakeSeat(0))
            return

        def answer(key: str | None) -> None:
            if key:
                self.world.hand_hidden = False
                self.order(TakeSeat(int(key)))

        names = self.model.names
        options = [(str(number), names.name(number)) for number in range(1, self.model.players + 1)]
        self._view.open(PickScreen(tr("Which player are you?"), options), answer)

    def action_hand(self) -> None:
        """Hide or show the private panel with the seated person's cards.

        Without a seat, a notice says how to take one.
        """
        if self.world.attached and not self.world.seat:
            return self._view.notice(tr("You hold no hand here. s: take a seat"))
        self.world.hand_hidden = not self.world.hand_hidden
        if self.world.turn is not None:
            self._sound.hear_world(self.world.turn, self.world, self.model.names)
        self._view.table_screen.paint()
        return None

    def choose(self, index: int) -> None:
        """Send the virtual table the seated person's chosen action.

        `index`: index (from 0) in the offered actions. A claim needs a confirmation first, because its verdict
        cannot be taken back.
        """
        turn = self.world.turn
        if turn is None or index not in turn.claims:
            return self.order(Choose(index))

        def answer(key: str | None) -> None:
            now = self.world.turn
            if key and now is not None and now.actions == turn.actions:
                self.order(Choose(index))

        options = [("y", self.model.names.put_into(turn.actions[index]))]
        self._view.open(PickScreen(localized(SURE), options), answer)
        return None

    def action_fault(self) -> None:
        """Ask a person which part of the virtual rig to break, for a test.

        A broken part is mended instead.
        """
        state = self.world.state
        if state is None or not state.parts:
            return
        keys = dict(zip("123456789", state.parts, strict=False))

        def answer(key: str | None) -> None:
            if key:
                self.order(SetFault(keys[key], keys[key] not in state.broken))

        options = [
            (
                key,
                tr("mend: {part}", part=sensor_name(part))
                if part in state.broken
                else localized(sensor_name(part)),
            )
            for key, part in keys.items()
        ]
        self._view.open(PickScreen(tr("Break which part of the virtual rig?"), options), answer)

    def action_truth(self) -> None:
        """Open the page with the virtual table's true cards.

        Only if this app was started with `show_truth`; else a notice says how to start it so.
        """
        if self.show_truth:
            self._view.open(TruthScreen(self.world))
        elif self.world.attached:
            self._view.notice(tr("To see what really lies where, start: companion play --show-truth"))
        else:
            self._view.notice(tr("v shows what really lies on a virtual table; there is none here."))
