"""Dialogs: small questions at the keyboard, and pages to read."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, Static

from companion.core.language import localized, text, tr
from companion.dashboard.labels import HELP
from companion.dashboard.model import LOG_LENGTH, PublicModel
from companion.dashboard.one_switch.scanner import Choice
from companion.dashboard.one_switch.switch_scan import LETTERS
from companion.dashboard.screens.close_once import Passing, PassingModal
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.panel import Panel

SURE = text("Claim this?")
"""SURE: question before a claim is made."""


class PickScreen(PassingModal[str | None]):
    """Dialog that asks for one of several keys; returns the key, or None if another one was pressed."""

    DEFAULT_CSS = """
    PickScreen { align: center bottom; background: transparent; }
    PickScreen Static {
        width: auto; height: auto; min-width: 44; padding: 0 3; margin-bottom: 1;
        background: $strip; border: heavy $accent;
    }
    """

    def __init__(self, title: str, options: Sequence[tuple[str, str]], *, sure: bool = False) -> None:
        """`options`: (key, words).

        `sure`: the chosen option needs a second key, y, before it is the answer.
        """
        super().__init__()
        self.title_text = title
        self.options = tuple(options)
        self.sure = sure
        self.chosen = ""
        """Key of the option that waits for a y; "" for none."""
        self.body = Static()
        self.body.auto_links = False

    def compose(self) -> ComposeResult:
        self.body.update(self._rows())
        yield self.body

    @property
    def scan_title(self) -> str:
        """What the panel of a scan says above the choices."""
        return self.title_text

    def choices_now(self) -> list[Choice]:
        """Choices for a person with one switch: options, and cancel."""
        found = [Choice(words, partial(self.action_pick, key)) for key, words in self.options]
        return [*found, Choice(tr("nothing happens"), partial(self.action_pick, ""))]

    def spoken(self) -> list[str]:
        """Lines for the voice: title, and options with their keys."""
        return [self.title_text, *(f"{key}: {words}" for key, words in self.options)]

    def _rows(self) -> Content:
        rows: list[Content] = [Content.styled(self.title_text, "bold"), Content("")]
        for key, words in self.options:
            row = Content.assemble((f" {key} ", "bold $key-ink on $key"), f"  {words}")
            rows.append(row.stylize(f"@click=screen.pick('{key}')"))
        rows += [Content(""), Content.styled(tr("any other key: nothing happens"), "$muted")]
        return Content("\n").join(rows)

    def on_key(self, event: Key) -> None:
        """Take the first key as the answer."""
        event.stop()
        event.prevent_default()
        # Pressing ctrl+c twice quits, whatever was asked.
        wanted = "q" if event.key == "ctrl+c" else event.character or event.key
        self.action_pick(wanted if wanted in dict(self.options) else "")

    def action_pick(self, key: str) -> None:
        """Close with `key` as the answer, or ask for a y first if `sure`; "" cancels."""
        if self.sure and key and not self.chosen:
            self.chosen, self.options = key, (("y", dict(self.options)[key]),)
            self.title_text = localized(SURE)
            self.body.update(self._rows())
        else:
            self.leave((self.chosen or key) if key else None)


DIGITS = tuple("0123456789")


class LineScreen(PassingModal[str | None]):
    """Dialog that asks for a line of text.

    Returns the line, or None for escape. `number`: digits only.
    """

    DEFAULT_CSS = """
    LineScreen { align: center middle; }
    LineScreen Vertical {
        width: 52; height: auto; padding: 1 3; background: $strip; border: heavy $accent;
    }
    LineScreen { background: transparent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", show=False)]

    def __init__(self, title: str, wanted: str, *, number: bool = False) -> None:
        super().__init__()
        self.title_text = title
        self.wanted = wanted
        self.input = Input(type="integer" if number else "text", select_on_focus=False)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Content.assemble((self.title_text, "bold"), f"\n\n{self.wanted}"))
            yield self.input
            yield Static(Content.styled(tr("escape: nothing happens"), "$muted"))

    @property
    def scan_title(self) -> str:
        """What the panel of a scan says above the choices."""
        return f"{self.wanted} {self.input.value}"

    def choices_now(self) -> list[Choice]:
        """Choices for a person with one switch: letters and commands."""
        signs = DIGITS if self.input.type == "integer" else (*DIGITS, " ", *LETTERS)
        written = [
            Choice(
                sign if sign != " " else tr("space"),
                partial(self.input.insert_text_at_cursor, sign),
                stays=True,
            )
            for sign in signs
        ]
        return [
            Choice(tr("done"), lambda: self.input.call_later(self.input.action_submit)),
            Choice(tr("rub out"), self.input.action_delete_left, stays=True),
            Choice(tr("nothing happens"), self.action_cancel),
            *written,
        ]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the typed line, stripped, without a leading plus."""
        self.leave(event.value.strip().lstrip("+"))

    def late(self, event: Key) -> bool:
        """Pass an early letter or enter to the input.

        Early: pressed before the dialog had opened.
        """
        if event.key == "enter":
            return self.input.call_later(self.input.action_submit)
        return event.is_printable and self.input.post_message(Key(event.key, event.character))

    def action_cancel(self) -> None:
        """Close without an answer."""
        self.leave(None)


PAGE = 110
"""PAGE: most columns of a page of text."""


class PageScreen(Passing[None]):
    """Scrollable page of text; all other keys close it."""

    DEFAULT_CSS = """
    PageScreen #title { height: 1; width: 100%; }
    PageScreen VerticalScroll { height: 1fr; padding: 1 2; scrollbar-size: 0 0; align-horizontal: center; }
    PageScreen VerticalScroll Static { height: auto; max-width: 110; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self.heading = title
        self.body = Static()
        self.scroller = VerticalScroll(self.body)

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(f" {self.heading} ", "bold $accent"), id="title")
        yield self.scroller
        yield Static(Content.styled(" " + tr("arrows scroll · any other key: back"), "$muted"))

    def on_mount(self) -> None:
        """Focus the scroller, so that its keys work at once."""
        self.scroller.focus()
        self.paint()

    def paint(self) -> None:
        """Write the text of the page; a hook for subclasses."""

    def choices_now(self) -> list[Choice]:
        """Choices for a person with one switch: scroll, and close."""
        return [
            Choice(tr("down"), self.scroller.action_page_down, stays=True),
            Choice(tr("up"), self.scroller.action_page_up, stays=True),
            Choice(tr("back"), self.leave),
        ]

    def on_key(self, event: Key) -> None:
        """Close the page, unless the key scrolls."""
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end", "left", "right"):
            event.stop()
            event.prevent_default()
            self.leave(None)


class HelpScreen(PageScreen):
    """Help page: what can be done now, and all keys."""

    def __init__(self, game: Sequence[str] = (), now: Sequence[str] = ()) -> None:
        """`game`: help lines of the game.

        `now`: sentences on what may be done now. Both are plain text.
        """
        super().__init__(tr("HELP"))
        self.game = game
        self.now = now

    def paint(self) -> None:
        """Write the help; it never changes."""
        rows = [Content.styled(sentence, "bold $accent") for sentence in self.now]
        rows += [*([Content("")] if rows else []), Content.from_markup(localized(HELP))]
        rows += [*([Content("")] if self.game else []), *map(Content, self.game)]
        self.body.update(Content("\n").join(rows))


class RowsScreen(PageScreen):
    """Page of rows, laid out for the terminal's width."""

    def __init__(self, title: str, rows: Callable[[int], Sequence[Content]]) -> None:
        """`rows` returns the rows for a width in columns."""
        super().__init__(title)
        self.rows = rows

    def on_resize(self) -> None:
        """Lay out for the new size."""
        self.paint()

    def paint(self) -> None:
        """Write the rows."""
        self.body.update(Content("\n").join(self.rows(min(PAGE, self.app.size.width - 4))))


class LogScreen(PageScreen):
    """Log page: all sentences, the newest at the bottom, and the state of the link to the board."""

    DEFAULT_CSS = """
    LogScreen #board { height: 2; width: 100%; }
    """

    def __init__(self, model: PublicModel) -> None:
        super().__init__(tr("LOG"))
        self.model = model
        self._shown = Content("")
        self.board = Panel("board")

    def compose(self) -> ComposeResult:
        title, body, footer = super().compose()
        yield from (title, body, self.board, footer)

    def on_resize(self) -> None:
        """Scroll to the newest sentence."""
        self.call_after_refresh(self.scroller.scroll_end, animate=False)

    def paint(self) -> None:
        """Follow the newest sentence, unless the reader has scrolled up."""
        line = table_panels.board_line(self.model, self.app.size.width)
        self.board.display = bool(line)
        self.board.show(line)
        content = table_panels.log(self.model, self.model.names, LOG_LENGTH)
        if content.is_same(self._shown):
            return
        self._shown = content
        follow = self.scroller.max_scroll_y - self.scroller.scroll_y <= 1
        self.body.update(content)
        if follow:
            self.scroller.scroll_end(animate=False)
