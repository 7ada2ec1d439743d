"""The dashboard: events in, commands out, nothing else."""

from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer

from companion.dashboard import dialogs
from companion.dashboard.client import StreamClient
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.moments import Moment, ScoreScreen, VerdictScreen
from companion.dashboard.seat import SeatPanel
from companion.dashboard.table_screen import TableScreen
from companion.dashboard.truth import TruthScreen
from companion.events import (
    CallClaim,
    Choose,
    Claim,
    Claimed,
    Command,
    CompanionIsRight,
    Event,
    Pause,
    Quit,
    Refused,
    Restart,
    Score,
    SetPaused,
    SetSpeed,
    ShowTruth,
    Step,
    TableIsRight,
    TakeSeat,
    Undo,
    Welcome,
    WorldCommand,
    WorldEvent,
)

REPAINT_S = 0.25
"""Shortest time between two repaints: events in between are folded into one."""
NOTICE_S = 6.0
"""How long a word to this screen alone stays."""
SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


class Dashboard(App[None]):
    """Follows the engine at `engine` and, if given, the virtual table's control socket at `table`.

    Neither has to be there: the first screen comes at once and says what is missing. `show_truth` adds a
    screen (key v) with what really lies on the virtual table; it is for tests, not for players.
    """

    ENABLE_COMMAND_PALETTE = False
    TITLE = "companion"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "claim", "claim"),
        Binding("u", "undo", "undo"),
        Binding("t", "table_is_right", "the table is right"),
        Binding("o", "companion_is_right", "the companion is right"),
        Binding("p", "pause", "pause the companion"),
        Binding("l", "log", "log"),
        Binding("f", "score", "final score"),
        Binding("question_mark", "help", "help"),
        Binding("q,ctrl+c,ctrl+q", "leave", "quit", priority=False),
        Binding("space", "hold", "hold the players"),
        Binding("plus,equals_sign", "faster", "faster"),
        Binding("minus", "slower", "slower"),
        Binding("n", "step", "one step"),
        Binding("r", "restart", "new game"),
        Binding("s", "seat", "take a seat"),
        Binding("h", "hand", "hide or show your hand"),
        Binding("v", "truth", "truth"),
    ]

    def __init__(self, engine: Path, table: Path | None = None, show_truth: bool = False) -> None:
        super().__init__(ansi_color=True)  # before the theme: NO_COLOR paints black on black otherwise
        self.theme = "ansi-dark"
        self.model = PublicModel()
        self.world = WorldModel()
        self.show_truth = show_truth
        self.table_screen = TableScreen(self.model, self.world)
        self.client: StreamClient[Event, Command] = StreamClient(
            engine, Event, self._take, self._link, on_bad=self._bad
        )
        self.table_client: StreamClient[WorldEvent, WorldCommand] | None = None
        if table is not None:
            self.table_client = StreamClient(table, WorldEvent, self._take_world, self._link_world)
        self.repaints = 0
        self._repaint: Timer | None = None
        self._repaint_again = False
        self._notice_end: Timer | None = None
        self._score_shown: Score | None = None

    def get_default_screen(self) -> Screen[None]:
        """The table, at once."""
        return self.table_screen

    def on_mount(self) -> None:
        """Start listening; nothing here waits for an engine."""
        self.run_worker(self.client.run(), name="engine")
        if self.table_client is not None:
            self.run_worker(self.table_client.run(), name="table")

    # events in

    def _link(self, live: bool) -> None:
        self.model.connected(live)
        self.changed()

    def _bad(self, count: int) -> None:
        self.model.bad_lines = count
        self.changed()

    def _take(self, event: Event) -> None:
        self.model.take(event)
        if self.model.foreign or not self.screen_stack:
            return self.changed()
        match event:
            case Claimed():
                self._show_verdict(event)
            case Score():
                self._show_score(event)
            case Refused():
                self.notice(event.text)
            case Welcome():
                pass
            case _:
                if self.model.score is None and self._score_shown is not None:
                    self._score_shown = None
                    self._close(ScoreScreen)
        return self.changed()

    def _link_world(self, live: bool) -> None:
        self.world.connected(live)
        if live and self.show_truth and self.table_client is not None:
            self.table_client.send(ShowTruth())
        self.changed()

    def _take_world(self, event: WorldEvent) -> None:
        self.world.take(event)
        if isinstance(event, Refused):
            self.notice(event.text)
        self.changed()

    def changed(self) -> None:
        """Repaint soon: at once after a calm moment, else when the shortest time is over."""
        if self._repaint is not None:
            self._repaint_again = True
            return
        self._paint()
        self._repaint = self.set_timer(REPAINT_S, self._calm)

    def _calm(self) -> None:
        self._repaint = None
        if self._repaint_again:
            self._repaint_again = False
            self.changed()

    def _paint(self) -> None:
        if not self.screen_stack or not self.table_screen.is_attached:
            return  # not up yet, or already closing
        self.repaints += 1
        self.table_screen.paint()
        if isinstance(self.screen, dialogs.LogScreen | TruthScreen):
            self.screen.paint()

    def notice(self, text: str) -> None:
        """A word to this screen alone, for a few seconds."""
        self.model.notice = text
        if self._notice_end is not None:
            self._notice_end.stop()
        self._notice_end = self.set_timer(NOTICE_S, self._forget_notice)
        self.changed()

    def _forget_notice(self) -> None:
        self.model.notice = ""
        self.changed()

    def _show_verdict(self, claimed: Claimed) -> None:
        self._close(VerdictScreen)
        self.push_screen(VerdictScreen(claimed))

    def _show_score(self, score: Score) -> None:
        if score != self._score_shown:
            self._score_shown = score
            self._close(ScoreScreen)
            self.push_screen(ScoreScreen(score))

    def _close(self, kind: type[Moment]) -> None:
        if isinstance(self.screen, kind):
            self.screen.leave()

    # commands out

    def command(self, command: Command) -> None:
        """Send to the engine, or say that nobody hears."""
        if self.model.foreign or not self.client.send(command):
            self.notice("Not sent: no engine is there that understands it.")

    def order(self, command: WorldCommand) -> None:
        """Send to the virtual table; without one the key does nothing."""
        if self.table_client is not None and self.world.attached:
            self.table_client.send(command)

    def action_claim(self) -> None:
        """Ask for the bed, then claim."""
        table = self.model.table
        beds = table.beds if table else ()
        options = [
            (str(number), f"{view.princess or 'bed'} sleeps")
            for number, view in enumerate(beds, 1)
            if view.fate == "awake"
        ]
        if not options:
            return self.notice("Nobody is awake in a bed: there is nothing to claim.")

        def answer(key: str | None) -> None:
            if key and self.world.attached:
                # Virtual people hear the call: one of them presses the button and all turn the cards up.
                self.order(CallClaim(int(key)))
            elif key:
                self.command(Claim(int(key)))

        self.push_screen(dialogs.PickScreen("Who sleeps?", options), answer)
        return None

    def action_undo(self) -> None:
        """Take back the last action."""
        self.command(Undo())

    def action_table_is_right(self) -> None:
        """What lies there is right."""
        self.command(TableIsRight())

    def action_companion_is_right(self) -> None:
        """What the companion holds is right."""
        self.command(CompanionIsRight())

    def action_pause(self) -> None:
        """Pause the companion, or go on."""
        table = self.model.table
        self.command(Pause(not (table and table.paused)))

    def action_log(self) -> None:
        """The long log."""
        self.push_screen(dialogs.LogScreen(self.model))

    def action_help(self) -> None:
        """All keys."""
        self.push_screen(dialogs.HelpScreen())

    def action_score(self) -> None:
        """The final score once more."""
        if self.model.score is not None:
            self.push_screen(ScoreScreen(self.model.score))
        else:
            self.notice("There is no score before the end.")

    def action_leave(self) -> None:
        """Ask once."""
        options = [("q", "leave this screen")]
        if self.client.connected:
            options.append(("e", "stop the engine as well; the game so far is kept"))

        def answer(key: str | None) -> None:
            if key == "e":
                self.command(Quit())
            if key:
                self.call_later(self.exit)

        self.push_screen(dialogs.PickScreen("Quit?", options), answer)

    def action_hold(self) -> None:
        """Hold the virtual players, or let them go on."""
        if self.world.state is not None:
            self.order(SetPaused(not self.world.state.paused))

    def action_faster(self) -> None:
        """The next faster speed."""
        self._speed(min((s for s in SPEEDS if s > self._pace), default=SPEEDS[-1]))

    def action_slower(self) -> None:
        """The next slower speed."""
        self._speed(max((s for s in SPEEDS if s < self._pace), default=SPEEDS[0]))

    @property
    def _pace(self) -> float:
        return self.world.state.speed if self.world.state else 1.0

    def _speed(self, speed: float) -> None:
        self.order(SetSpeed(speed))

    def action_step(self) -> None:
        """One action of the virtual players."""
        self.order(Step())

    def action_restart(self) -> None:
        """Ask for a seed, then deal."""
        if not self.world.attached:
            return

        def answer(text: str | None) -> None:
            if text is not None:
                self.order(Restart(int(text) if text.lstrip("-").isdigit() else None))

        self.push_screen(dialogs.SeedScreen(), answer)

    def action_seat(self) -> None:
        """Take a seat, or give it back."""
        if not self.world.attached:
            return
        if self.world.seat:
            self.order(TakeSeat(0))
            return

        def answer(key: str | None) -> None:
            if key:
                self.world.hand_hidden = False
                self.order(TakeSeat(int(key)))

        options = [(str(number), f"player {number}") for number in range(1, self.model.players + 1)]
        self.push_screen(dialogs.PickScreen("Which player are you?", options), answer)

    def action_hand(self) -> None:
        """Hide the private panel, or show it again."""
        self.world.hand_hidden = not self.world.hand_hidden
        self.table_screen.paint()

    def on_seat_panel_chosen(self, event: SeatPanel.Chosen) -> None:
        """The person in the seat has chosen."""
        self.order(Choose(event.index))

    def action_truth(self) -> None:
        """The truth, if this dashboard was started for it."""
        if self.show_truth:
            self.push_screen(TruthScreen(self.world))
