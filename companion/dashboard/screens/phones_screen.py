"""Address of the phone page, as a code to scan."""

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.widgets import Static

from companion.core.language import tr
from companion.core.served_address import code_rows
from companion.dashboard.screens.close_once import PassingModal


class PhonesScreen(PassingModal[None]):
    """Dialog with the phones' web address and its QR code.

    Any key or click closes it.
    """

    DEFAULT_CSS = """
    PhonesScreen { align: center middle; background: transparent; }
    PhonesScreen Static {
        width: auto; height: auto; padding: 0 3; background: $strip; border: heavy $accent; text-align: center;
    }
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address

    def compose(self) -> ComposeResult:
        """Yield an empty text for web address and QR code."""
        yield Static("", id="page")

    def on_mount(self) -> None:
        """Write the web address of the page for phones, and its QR code."""
        self.query_one("#page", Static).update(phones_page(self.address))

    def on_key(self, event: Key) -> None:
        """Close the dialog with the web address."""
        event.stop()
        event.prevent_default()
        self.leave(None)

    def on_click(self) -> None:
        """Close the dialog with the web address."""
        self.leave(None)


def phones_page(address: str) -> Content:
    """Text with a web address and its QR code.

    The code is white on black in all themes, so that cameras can read it.
    """
    code = [Content.styled(row, "#ffffff on #000000") for row in code_rows(address)]
    rows = [Content.styled(tr("The table on phones and in browsers"), "bold"), *code, Content(address)]
    return Content("\n").join([*rows, Content.styled(tr("any key: back to the table"), "$muted")])
