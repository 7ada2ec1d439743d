"""The true table, for builders and testers, never for players."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Static

from companion.dashboard.model import WorldModel
from companion.dashboard.screens.close_once import Passing
from companion.dashboard.themed_app import ThemedApp
from companion.dashboard.widgets.panel import Panel
from companion.session.stream.stream_client import SocketPath, StreamClient
from companion.session.stream.virtual_table_events import ShowTruth, WorldCommand, WorldEvent


class TruthScreen(Passing[None]):
    """Page with a virtual table's true cards, for tests.

    Its heading says that it is not for players. `world`: facts from the virtual table.
    """

    DEFAULT_CSS = """
    TruthScreen #title { height: 1; width: 100%; }
    TruthScreen VerticalScroll { height: 1fr; padding: 0 1; scrollbar-size: 0 0; }
    TruthScreen #lines { height: auto; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,v", "back", show=False),
        Binding("q", "quit_truth", show=False),
    ]

    def __init__(self, world: WorldModel) -> None:
        super().__init__()
        self.world = world
        self.heading = Panel("title")
        self.body = Static(id="lines")
        self._shown: tuple[str, ...] | None = None

    def compose(self) -> ComposeResult:
        """Yield the page's heading, and scrollable lines on true cards."""
        yield self.heading
        yield VerticalScroll(self.body)

    def on_mount(self) -> None:
        """Write on the page the true cards known so far."""
        self.paint()

    def paint(self) -> None:
        """Write on the page the newest true cards.

        Without a virtual table, how to connect one.
        """
        if not self.is_attached:
            return
        alone = isinstance(self.app, TruthView)
        keys = "q quits" if alone else "v: back to the table"
        self.heading.show(
            Content.styled(f" TRUTH - not for players · {keys} ".ljust(300), "bold $state-ink on $no")
        )
        lines = self.world.truth
        if not self.world.attached:
            lines = (
                "No virtual table answers. Start one: companion table",
                "It prints its control socket: add --table SOCKET",
            )
        elif not lines:
            lines = ("Nothing has been told yet.",)
        if lines != self._shown:
            self._shown = lines
            self.body.update(Content("\n".join(lines)))

    def action_back(self) -> None:
        """Close the page with the true cards, unless it is the only screen."""
        if not isinstance(self.app, TruthView):
            self.leave()

    def late(self, event: Key) -> bool:
        """Return False: keys pressed before the page opened need no help.

        The page's bindings handle them.
        """
        return False

    async def action_quit_truth(self) -> None:
        """Quit the app if it only shows the true cards; else close this page."""
        if isinstance(self.app, TruthView):
            self.app.exit()
        else:
            self.leave()


class TruthView(ThemedApp):
    """App that shows only a virtual table's true cards.

    `table`: control socket of the virtual table.
    """

    def __init__(self, table: SocketPath) -> None:
        super().__init__()
        self.world = WorldModel()
        self.truth = TruthScreen(self.world)
        self.client: StreamClient[WorldEvent, WorldCommand] = StreamClient(
            table, WorldEvent, self._take, self._link
        )

    def get_default_screen(self) -> Screen[None]:
        """Return the page with the true cards."""
        return self.truth

    def on_mount(self) -> None:
        """Connect to the virtual table's control socket in the background."""
        self.run_worker(self.client.run(), name="truth")

    def _link(self, live: bool) -> None:
        self.world.connected(live)
        if live:
            self.client.send(ShowTruth())
        self.truth.paint()

    def _take(self, event: WorldEvent) -> None:
        self.world.take(event)
        self.truth.paint()
