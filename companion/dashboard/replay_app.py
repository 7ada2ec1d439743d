"""A recorded game on the screen: step by step, or by itself; what lay hidden only after its end."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Key
from textual.screen import Screen
from textual.timer import Timer

from companion.core.language import localized, tr
from companion.dashboard.display_settings import DEFAULT_LOOK, ScreenLook
from companion.dashboard.labels import VERDICT_GROUNDS
from companion.dashboard.one_switch.switch_scan import SwitchScan
from companion.dashboard.screens.dialogs import PageScreen
from companion.dashboard.table_view import TableView
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.widgets import table_panels
from companion.session.journal.recorded_moments import RecordedGame, RecordedMoment
from companion.session.stream.stream import as_shown

PACES = (1.0, 2.0, 4.0, 8.0, 30.0)
"""PACES: speeds of an automatic replay, as multiples of the real game's speed."""
LONGEST_WAIT_S = 3.0
"""LONGEST_WAIT_S: longest time (s) for which an automatic replay shows one moment. A guess."""
MARKS = {"proved": "▲", "refuted": "▼", "cannot tell": "◆"}
"""MARKS: verdict on a claim -> its mark on the timeline."""


class HiddenScreen(PageScreen):
    """Page with the cards that lay hidden at a moment of a replayed game.

    `lines`: these cards in words, a line for each place.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(tr("WHAT LAY HIDDEN THERE (from below)"))
        self.lines = lines

    def paint(self) -> None:
        """Write the hidden cards on the page; they never change."""
        self.body.update(Content("\n\n").join(map(Content, self.lines)))


class ReplayApp(ThemedApp):
    """App that replays a recorded game, moment by moment.

    `game`: the recorded game. `look`: colours, motion and size. `at`: index (from 0) of the moment that is
    shown.
    """

    TITLE = "companion"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "back"),
        Binding("right", "go(1)", "on"),
        Binding("pageup", "turn(-1)", "a turn back"),
        Binding("pagedown", "turn(1)", "a turn on"),
        Binding("up", "claim(-1)", "to the claim before"),
        Binding("down", "claim(1)", "to the next claim"),
        Binding("home", "to(0)", "begin"),
        Binding("end", "to(-1)", "end"),
        Binding("space", "play", "by itself"),
        Binding("plus,equals_sign", "pace(1)", "faster"),
        Binding("minus", "pace(-1)", "slower"),
        Binding("v", "hidden", "what lay hidden"),
        Binding("f2", "next_theme", "other colours"),
        Binding("q,escape,ctrl+c,ctrl+q", "quit", "back", priority=False),
    ]

    def __init__(self, game: RecordedGame, look: ScreenLook = DEFAULT_LOOK) -> None:
        super().__init__(look.theme)
        self.view = TableView(self, look)
        self.table_screen = self.view.table_screen
        self.scan = SwitchScan(self, look)
        self.own_actions(self.view)
        self.game = game
        self.at = 0
        self.pace = PACES[2]
        self._going: Timer | None = None
        self.table_screen.foot = self._foot
        self.show()

    def get_default_screen(self) -> Screen[None]:
        """Return the table screen, which lies below all others."""
        return self.table_screen

    def on_key(self, event: Key) -> None:
        """Forward a key to the page over the table that was just opening."""
        self.view.pass_on(event)

    def on_unmount(self) -> None:
        """At the app's end, write choices to the settings file.

        Only choices that are not yet there are written.
        """
        self.view.close()

    @property
    def moment(self) -> RecordedMoment:
        """Moment of the recorded game that is shown."""
        return self.game.moments[self.at]

    def action_go(self, step: int) -> None:
        """Show the game `step` moments later (negative: earlier).

        Not beyond the first or last one. An automatic replay stops.
        """
        self._stop()
        self._move(self.at + step)

    def action_to(self, at: int) -> None:
        """Show the game's moment with the index `at` (from 0); -1: the last one.

        An automatic replay stops.
        """
        self._stop()
        self._move(at % len(self.game.moments))

    def action_turn(self, step: int) -> None:
        """Show the first moment of the next turn (`step` 1) or the previous one (-1).

        An automatic replay stops.
        """
        self._stop()
        at = self.at
        while 0 <= at + step < len(self.game.moments) and self._turn(at) == self._turn(self.at):
            at += step
        # Backwards that is the last moment of the turn before: on to its first one.
        while step < 0 < at and self._turn(at - 1) == self._turn(at):
            at -= 1
        self._move(at)

    def _turn(self, at: int) -> int:
        return self.game.moments[at].table.turn

    def action_claim(self, step: int) -> None:
        """Show the moment of the next verdict (`step` 1) or the previous one (-1).

        Nothing changes if there is none. An automatic replay stops.
        """
        self._stop()
        claims = [at for at, one in enumerate(self.game.moments) if one.verdict and (at - self.at) * step > 0]
        if claims:
            self._move(min(claims) if step > 0 else max(claims))

    def action_play(self) -> None:
        """Start or stop the automatic replay of the game.

        From the last moment, it starts again at the first.
        """
        if self._going is not None:
            self._stop()
        else:
            if self.at + 1 == len(self.game.moments):
                self._move(0)
            self._wait()
        self.view.changed()

    def action_pace(self, step: int) -> None:
        """Replay faster (`step` 1) or slower (-1): at the next of the PACES."""
        self.pace = PACES[max(0, min(len(PACES) - 1, PACES.index(self.pace) + step))]
        self.view.changed()

    def action_hidden(self) -> None:
        """Open the page with the cards that lay hidden at the shown moment.

        If the game was not played to its end, these stay secret, and a notice says so.
        """
        if self.moment.hidden:
            self._stop()
            self.view.open(HiddenScreen([localized(line) for line in self.moment.hidden]))
        else:
            self.view.notice(tr("This game was not played to its end: what lies hidden stays hidden."))

    def _wait(self) -> None:
        following = self.game.moments[self.at + 1].t if self.at + 1 < len(self.game.moments) else self.moment.t
        wait = min(max(0.0, following - self.moment.t), LONGEST_WAIT_S * self.pace) / self.pace
        self._going = self.set_timer(max(0.05, wait), self._next)

    def _next(self) -> None:
        self._going = None
        self._move(self.at + 1)
        if self.at + 1 < len(self.game.moments):
            self._wait()

    def _stop(self) -> None:
        if self._going is not None:
            self._going.stop()
            self._going = None

    def _move(self, at: int) -> None:
        self.at = max(0, min(len(self.game.moments) - 1, at))
        self.show()
        self.view.changed()

    def show(self) -> None:
        """Update the model to the game's moment that is shown.

        It gets that moment's table, and all sentences said until then.
        """
        model = self.view.model
        model.connected(True)
        model.take(as_shown(self.game.welcome))
        for one in self.game.moments[: self.at + 1]:
            for said in one.said:
                model.take(as_shown(said))
        model.take(as_shown(self.moment.table))

    def _foot(self, width: int) -> tuple[Content, Content]:
        """Two lowest rows of the replay: (timeline, keys), each `width` columns."""
        keys = [("←→", tr("step"), "go(1)"), ("pg", tr("turn"), "turn(1)"), ("↑↓", tr("claim"), "claim(1)")]
        keys += [(tr("space"), tr("stop") if self._going else tr("play"), "play")]
        keys += [("+-", f"x{self.pace:g}", "pace(1)")]
        keys += [("v", tr("hidden"), "hidden")] if self.moment.hidden else []
        return timeline(self.game.moments, self.at, width), table_panels.keys(
            [*keys, ("q", tr("back"), "quit")], width
        )

    def compose(self) -> ComposeResult:
        """Return no widgets: the table screen has them all."""
        return ()


def timeline(moments: Sequence[RecordedMoment], at: int, width: int) -> Content:
    """Timeline of a recorded game: about `width` columns.

    The timeline is one row. A bar with a mark for each verdict, then number and time (minutes:seconds) of
    moment `at` (index from 0). A click on the bar shows the moment there.
    """
    minutes, seconds = divmod(int(moments[at].t - moments[0].t), 60)
    clock = f"{minutes}:{seconds:02d}"
    words = tr(" {number} of {all}  {clock} ", number=at + 1, all=len(moments), clock=clock)
    room = max(10, width - len(words) - 2)
    parts: list[Content] = []
    for column in range(room):
        first = column * len(moments) // room
        last = (column + 1) * len(moments) // room
        verdict = next((one.verdict for one in moments[first:last] if one.verdict), "")
        if verdict:
            part = Content.styled(MARKS.get(verdict, "◆"), f"bold ${VERDICT_GROUNDS.get(verdict, 'accent')}")
        else:
            part = Content.styled("━" if first <= at else "─", "$accent" if first <= at else "$muted")
        parts.append(part.stylize(f"@click=app.to({first})"))
    return Content.assemble(" ", *parts, (words, "bold"))
