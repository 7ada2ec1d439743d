"""The keys for pages over the table: log, help, phones, sensors; and the camera's picture beside the game."""

from collections.abc import Sequence

from textual.binding import Binding
from textual.timer import Timer

from companion.core.engine_command import page_command
from companion.core.language import tr
from companion.core.served_address import ServedAddress
from companion.dashboard.engine_connection import EngineConnection
from companion.dashboard.screens.dialogs import HelpScreen, LogScreen
from companion.dashboard.screens.sensors_screen import ASK_S, SensorsScreen
from companion.dashboard.table_view import TableView
from companion.session.stream.commands import AskSensors


class PageKeys:
    """Keys that open log, help, phones and sensors pages.

    The pages lie over the table. One more key shows the camera's picture instead of the drawn table.
    """

    BINDINGS: Sequence[Binding] = (
        Binding("l", "log", "log"),
        Binding("question_mark,f1", "help", "help"),
        Binding("f3", "phones", "the table on phones"),
        Binding("f5", "sensors", "what camera and board sense"),
        Binding("f7", "camera", "the camera's picture beside the game"),
    )

    def __init__(self, view: TableView, line: EngineConnection) -> None:
        self._view, self._line = view, line
        self._looking: Timer | None = None
        """Timer that asks for the camera's picture while it is shown beside the game."""

    def action_log(self) -> None:
        """Open the log page, with all sentences of the game."""
        self._view.open(LogScreen(self._view.model))

    def action_help(self) -> None:
        """Open the help page: allowed moves, and all keys."""
        model = self._view.model
        hello, table, names = model.welcome, model.table, model.names
        now: list[str] = []
        if table is not None and not model.foreign:
            who = names.name(table.player) if table.player else tr("Everybody")
            now = [tr("{who}, now: {what}", who=who, what=table.title)]
            now += [f"  • {names.put_into(sentence)}" for sentence in table.may]
            now += [f"  - {names.put_into(sentence)}" for sentence in table.may_not]
        self._view.open(HelpScreen(hello.help if hello else (), now))

    def action_phones(self) -> None:
        """Open a dialog with the web address for phones.

        If no such page is served, a notice gives the command that serves it.
        """
        path = self._line.client.path
        address = ServedAddress(path).read()
        if not address:
            return self._view.notice(
                tr(
                    "No page is served. Begin one in another terminal: {command}",
                    command=page_command(path),
                )
            )
        from companion.dashboard.screens.phones_screen import PhonesScreen

        return self._view.open(PhonesScreen(address))

    def action_sensors(self) -> None:
        """Open the page of live sensors: camera's picture, stations, faults."""
        self._view.open(SensorsScreen(self._view.model, self._view.world))

    def action_camera(self) -> None:
        """Show the camera's picture instead of the drawn table, or the table again.

        On a terminal without room for either, open the page of live sensors.
        """
        screen = self._view.table_screen
        if not screen.room_beside()[0]:
            return self.action_sensors()
        screen.shows_camera = not screen.shows_camera
        if screen.shows_camera and self._looking is None:
            self._looking = self._view.app.set_interval(ASK_S, self._look)
        self._look()
        return self._view.changed()

    def _look(self) -> None:
        """Ask the engine for the camera's newest picture.

        If the picture is not shown any more, stop the timer that asks.
        """
        screen = self._view.table_screen
        columns, rows = screen.room_beside()
        if screen.shows_camera and columns and not self._view.model.foreign:
            self._line.ask(AskSensors(columns, 2 * rows))
        elif self._looking is not None:
            self._looking.stop()
            self._looking = None
