"""Why the companion believes something of a place: a screen for whoever runs the table, never for players."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from companion.core.engine_command import ENGINE
from companion.core.language import localized, tr
from companion.core.sensor_terms import place_name
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.widgets.panel import Panel
from companion.session.stream.commands import AskWhy, OperatorCommand
from companion.session.stream.events import Explained, OperatorEvent, Table
from companion.session.stream.stream_client import SocketPath, StreamClient

KEYS = 9
"""KEYS: number of the table's places that a digit key chooses, from the first on."""


class WhyView(ThemedApp):
    """App that explains to the operator what the engine believes about a place.

    The operator is a person who watches the engine, not a player. The explanation is renewed at each change of
    the table. `engine`: operator socket of the engine.
    """

    CSS = """
    #title { height: 1; width: 100%; }
    VerticalScroll { height: 1fr; padding: 0 1; }
    #lines { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(place), f"place({place})", show=False) for place in range(1, KEYS + 1)),
        Binding("q,ctrl+c", "quit", show=False, priority=True),
    ]

    def __init__(self, engine: SocketPath, command: str = ENGINE) -> None:
        """Build the operator's app.

        `command`: command line that starts an engine with an operator socket, shown as advice.
        """
        super().__init__()
        self._command = command
        self.place = 1
        self.places: tuple[str, ...] = ()
        self.heading = Panel("title")
        self.body = Static(id="lines")
        self.client: StreamClient[OperatorEvent, OperatorCommand] = StreamClient(
            engine, OperatorEvent, self._take, self._link
        )

    def compose(self) -> ComposeResult:
        """Yield the heading, and the scrollable text of the explanation."""
        yield self.heading
        yield VerticalScroll(self.body)

    def on_mount(self) -> None:
        """Connect to the engine's operator socket in the background."""
        self._show(tr("No engine answers. Start one: {command}", command=self._command))
        self.run_worker(self.client.run(), name="why")

    def action_place(self, place: int) -> None:
        """Explain what the engine believes about another place.

        The place is one of the table. `place`: its number, from 1.
        """
        self.place = place
        self.client.send(AskWhy(place))

    def _link(self, live: bool) -> None:
        if live:
            self.client.send(AskWhy(self.place))
        else:
            self._show(tr("No engine answers. Start one: {command}", command=self._command))

    def _take(self, event: OperatorEvent) -> None:
        match event:
            case Table():
                self.client.send(AskWhy(self.place))
            case Explained(place, lines, places) if place == self.place:
                self.places = places
                self._show("\n".join(lines))

    def _show(self, text: str) -> None:
        known = self.place <= len(self.places)
        name = place_name(self.places[self.place - 1]) if known else tr("PLACE {number}", number=self.place)
        last = min(KEYS, len(self.places)) or KEYS
        title = tr(
            "WHY: {place} - not for players · 1 to {last}: another place · q quits",
            place=localized(name).upper(),
            last=last,
        )
        self.heading.show(Content.styled(f" {title}".ljust(300), "bold $state-ink on $no"))
        self.body.update(Content(text))
