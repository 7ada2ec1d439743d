"""The dashboard: events in, commands out, nothing else."""

import signal
import sys
import termios
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from companion.dashboard.client import StreamClient
from companion.dashboard.model import same_position
from companion.dashboard.screens import dialogs
from companion.dashboard.screens.hint_screen import FIRST, keyed, own_hand, stronger
from companion.dashboard.screens.verdict_and_score import Moment, ScoreScreen, VerdictScreen
from companion.dashboard.virtual_table_keys import WorldKeys
from companion.session.events import (
    YES_NO,
    Answer,
    AskHint,
    Claim,
    Claimed,
    Command,
    CompanionIsRight,
    EndGame,
    Event,
    Pause,
    Quit,
    Refused,
    Score,
    Table,
    TableIsRight,
    Tell,
    Turn,
    Undo,
    Welcome,
)
from companion.session.world_events import CallClaim

TERMINAL_S = 1.0
"""How often the app looks whether its terminal is still there."""


class Dashboard(WorldKeys):
    """Follows the engine at `engine` and, if given, the virtual table's control socket at `table`.

    Neither has to be there: the first screen comes at once and says what is missing. `show_truth` adds a
    screen (key v) with what really lies on the virtual table; it is for tests, not for players. `started`
    names what was started together with this screen and ends with it, e.g. engine, camera, board; nobody
    has to be told how to start that.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "claim", "claim"),
        Binding("u", "undo", "undo"),
        Binding("t", "table_is_right", "the table is right"),
        Binding("o", "companion_is_right", "the companion is right"),
        Binding("y", "answer(True)", "yes, to a question"),
        Binding("n", "answer(False)", "no, to a question"),
        Binding("p", "pause", "pause the companion"),
        Binding("h", "hint", "hint"),
        Binding("k", "hint_on_cards", "hint on the cards you tell"),
        Binding("w", "tell", "what only you can know"),
        Binding("a", "hints_always", "hints at every move"),
        Binding("escape", "no_hint", "put the hint away"),
        Binding("l", "log", "log"),
        Binding("g", "turn", "whose turn begins"),
        Binding("f", "score", "final score, or the end of the game here"),
        Binding("question_mark", "help", "help"),
        Binding("q,ctrl+c,ctrl+q", "leave", "quit", priority=False),
    ]

    def __init__(
        self,
        engine: Path,
        table: Path | None = None,
        show_truth: bool = False,
        *,
        started: Sequence[str] = (),
    ) -> None:
        super().__init__(table, show_truth, started)
        self.client: StreamClient[Event, Command] = StreamClient(
            engine, Event, self._take, self._link, on_bad=self._bad
        )
        self._score_shown: Score | None = None
        self._hint_level = FIRST
        self.stopped_engine = False
        """True once this screen has told the engine to stop."""

    def on_mount(self) -> None:
        """Start listening; nothing here waits for an engine."""
        self.run_worker(self.client.run(), name="engine")
        if self.table_client is not None:
            self.run_worker(self.table_client.run(), name="table")
        if sys.__stdin__ is not None and sys.__stdin__.isatty():
            self.set_interval(TERMINAL_S, _hang_up_with_terminal)

    # events in

    def _link(self, live: bool) -> None:
        self.model.connected(live)
        self.changed()

    def _bad(self, count: int) -> None:
        self.model.bad_lines = count
        self.changed()

    def _take(self, event: Event) -> None:
        before = self.model.table
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
        if self.model.hints_always and isinstance(event, Table) and _to_decide_anew(before, event):
            self._ask_hint()
        return self.changed()

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

    def action_claim(self) -> None:
        """Ask of what, then claim."""
        table, hello = self.model.table, self.model.welcome
        places = enumerate(table.places, 1) if table else ()
        options = [(str(number), view.claim) for number, view in places if view.claim]
        if not options:
            return self.notice("There is nothing to claim now.")

        def answer(key: str | None) -> None:
            if key and self.world.attached:
                # Virtual people hear the call: one of them presses the button and all turn the cards up.
                self.order(CallClaim(int(key)))
            elif key:
                self.command(Claim(int(key)))

        self.push_screen(dialogs.PickScreen(hello.claim_title if hello else "", options), answer)
        return None

    def _ask_hint(self, hand: str = "") -> None:
        hand = hand or own_hand(self.world, self.model.table)
        self.command(AskHint(self._hint_level, hand))

    def action_hint(self) -> None:
        """A hint; while one is shown, one that gives more away."""
        if self.model.advice is not None:
            # The engine gives no more than the family allows: go on from what it gave.
            hello = self.model.welcome
            self._hint_level = stronger(self.model.advice.level, hello.assist if hello else "")
        self._ask_hint()

    def action_hint_on_cards(self) -> None:
        """A hint for a hand that is told."""

        def answer(hand: str | None) -> None:
            if hand:
                self._ask_hint(hand)

        title, wanted = "A hint on the cards of the player on turn", "Cards as 3 3 4 7, then enter:"
        self.push_screen(dialogs.LineScreen(title, wanted), answer)

    def action_tell(self) -> None:
        """Tell what only players can know, for hints where no sensor knows it."""
        hello = self.model.welcome
        told = keyed(self.model.table.statements) if self.model.table else {}
        if not told:
            return self.notice("There is nothing to tell now.")

        def answer(key: str | None) -> None:
            if key:
                self.notice(f"Noted: {told[key].text}.")
                self.command(Tell(told[key].id))
                if self.model.advice is not None:
                    self._ask_hint()

        options = [(key, one.text) for key, one in told.items()]
        self.push_screen(dialogs.PickScreen(hello.tell_title if hello else "", options), answer)
        return None

    def action_hints_always(self) -> None:
        """A hint at every move, or only when asked."""
        always = self.model.hints_always = not self.model.hints_always
        self.notice("Hints at every move. a: only when asked" if always else "Hints only when asked.")
        if always:
            self._ask_hint()

    def action_no_hint(self) -> None:
        """Put the hint away."""
        self.model.advice = None
        self.table_screen.paint()

    def action_undo(self) -> None:
        """Take back the last action; a verdict only once that is confirmed."""
        verdict = self.model.table.verdict if self.model.table else None
        if verdict is None:
            return self.command(Undo())

        def answer(key: str | None) -> None:
            if key:
                self.command(Undo(verdict.id))

        options = [("y", "yes; but what was said stays said")]
        self.push_screen(dialogs.PickScreen(f"Take this back? {verdict.text}", options), answer)
        return None

    def action_table_is_right(self) -> None:
        """What lies there is right."""
        self.command(TableIsRight())

    def action_turn(self) -> None:
        """Ask whose turn begins, then go on from there."""
        table = self.model.table
        if table is None:
            return self.notice("There is no game yet.")

        def answer(key: str | None) -> None:
            if key:
                self.command(Turn(int(key)))

        options = [(str(player), f"player {player}") for player in range(1, len(table.hands) + 1)]
        self.push_screen(dialogs.PickScreen("Whose turn begins now?", options), answer)
        return None

    def action_companion_is_right(self) -> None:
        """What the companion holds is right."""
        self.command(CompanionIsRight())

    def action_answer(self, yes: bool) -> None:
        """Yes or no to what is asked."""
        asked = self.model.question
        if asked.options == YES_NO:
            self.command(Answer(asked.id, yes))
        else:
            self.notice("No question of yes or no is asked now.")

    def action_pause(self) -> None:
        """Pause the companion, or go on."""
        table = self.model.table
        self.command(Pause(not (table and table.paused)))

    def action_log(self) -> None:
        """The long log."""
        self.push_screen(dialogs.LogScreen(self.model))

    def action_help(self) -> None:
        """All keys."""
        hello = self.model.welcome
        self.push_screen(dialogs.HelpScreen(hello.help if hello else ()))

    def action_score(self) -> None:
        """The final score once more, or the end of the game as it lies there."""
        if self.model.score is not None:
            self.push_screen(ScoreScreen(self.model.score))
            return

        def answer(key: str | None) -> None:
            if key:
                self.command(EndGame())

        options = [("y", "yes: score what lies there, by what is shown")]
        self.push_screen(dialogs.PickScreen("End the game here?", options), answer)

    def action_leave(self) -> None:
        """Ask once."""
        ours = "engine" in self.model.started
        options = [("q", "quit; the game so far is kept" if ours else "leave this screen")]
        if self.client.connected and not ours:
            options.append(("e", "stop the engine as well; the game so far is kept"))

        def answer(key: str | None) -> None:
            if key == "e":
                self.stopped_engine = True
                self.command(Quit())
            if key:
                self.call_later(self.exit)

        self.push_screen(dialogs.PickScreen("Quit?", options), answer)


def _to_decide_anew(before: Table | None, now: Table) -> bool:
    return bool(now.player) and (before is None or not same_position(before, now))


def _hang_up_with_terminal() -> None:
    """End as a hang-up ends a program, if the terminal is gone.

    The signal goes to the first program of a terminal alone: under `make play` that waits for this one, which
    would read the end of its input for ever.
    """
    assert sys.__stdin__ is not None
    try:
        termios.tcgetattr(sys.__stdin__)
    except (OSError, termios.error):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGHUP)
