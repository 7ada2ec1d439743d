"""The line to the engine: its events reach the model, commands go out or are said to be lost."""

from collections.abc import Callable

from companion.core.language import tr
from companion.dashboard.table_view import TableView
from companion.session.stream.commands import Command
from companion.session.stream.events import Event
from companion.session.stream.stream_client import SocketPath, StreamClient


class EngineConnection:
    """Connection of a screen to the engine at socket `path`.

    `hear` is called with each event of the engine. `view`: table screen, which shows whether an engine is
    connected.
    """

    def __init__(self, view: TableView, path: SocketPath, hear: Callable[[Event], None]) -> None:
        self._view = view
        self.client: StreamClient[Event, Command] = StreamClient(
            path, Event, hear, self.linked, on_bad=self._bad
        )

    def linked(self, live: bool) -> None:
        """Note that the engine's connection was made or lost.

        `live`: True if made. The screen is then repainted.
        """
        self._view.model.connected(live)
        self._view.changed()

    def _bad(self, count: int) -> None:
        self._view.model.bad_lines = count
        self._view.changed()

    def send(self, command: Command) -> None:
        """Send a command to the engine.

        If no engine is connected, or one of another version, a notice on the screen says that nothing was
        sent.
        """
        if self._view.model.foreign or not self.client.send(command):
            self._view.notice(tr("Not sent: no engine is there that understands it."))

    def ask(self, command: Command) -> None:
        """Ask the engine for a picture or sensor values.

        Without an engine, or with one of another version, nothing is sent and no notice is shown.
        """
        if not self._view.model.foreign:
            self.client.send(command)
