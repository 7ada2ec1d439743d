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
from companion.dashboard.themed_app import room_of
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.panel import Panel

SURE = text("Claim this?")
"""SURE: question that a person must confirm before a claim is made."""


class PickScreen(PassingModal[str | None]):
    """Dialog that asks for one of several keys.

    Its result is the pressed key, or None for any other key.
    """

    DEFAULT_CSS = """
    PickScreen { align: center bottom; background: transparent; }
    PickScreen Static {
        width: auto; height: auto; min-width: 44; padding: 0 3; margin-bottom: 1;
        background: $strip; border: heavy $accent;
    }
    """

    def __init__(self, title: str, options: Sequence[tuple[str, str]], *, sure: bool = False) -> None:
        """Prepare the dialog with the question `title`.

        `options`: (key, words) of each answer. `sure`: True if the answer must be confirmed by a second key,
        y.
        """
        super().__init__()
        self.title_text = title
        self.options = tuple(options)
        self.sure = sure
        self.chosen = ""
        """Key of the answer that waits for a y; "" for none."""
        self.body = Static()
        self.body.auto_links = False

    def compose(self) -> ComposeResult:
        """Yield the dialog's text: its question and its answers."""
        self.body.update(self._rows())
        yield self.body

    def on_mount(self) -> None:
        """Lay the dialog above the panel of a scan."""
        self.paint()

    def paint(self) -> None:
        """Lay the dialog anew above the panel of a scan, which may have more rows now, or none."""
        self.body.styles.margin = (0, 0, 1 + self.app.size.height - room_of(self.app)[1], 0)

    @property
    def scan_title(self) -> str:
        """Question above the choices of a person with one switch."""
        return self.title_text

    def choices_now(self) -> list[Choice]:
        """Choices for a person with one switch key: the dialog's answers, and cancel."""
        found = [Choice(words, partial(self.action_pick, key)) for key, words in self.options]
        return [*found, Choice(tr("nothing happens"), partial(self.action_pick, ""))]

    def spoken(self) -> list[str]:
        """Lines for the voice: the dialog's question, then "key: words" of each answer."""
        return [self.title_text, *(f"{key}: {words}" for key, words in self.options)]

    def _rows(self) -> Content:
        rows: list[Content] = [Content.styled(self.title_text, "bold"), Content("")]
        for key, words in self.options:
            row = Content.assemble((f" {key} ", "bold $key-ink on $key"), f"  {words}")
            rows.append(row.stylize(f"@click=screen.pick('{key}')"))
        rows += [Content(""), Content.styled(tr("any other key: nothing happens"), "$muted")]
        return Content("\n").join(rows)

    def on_key(self, event: Key) -> None:
        """Take the pressed key as answer; any other key cancels.

        The dialog has keys for its answers. ctrl+c counts as q, so that pressing it twice quits.
        """
        event.stop()
        event.prevent_default()
        # Pressing ctrl+c twice quits, whatever was asked.
        wanted = "q" if event.key == "ctrl+c" else event.character or event.key
        self.action_pick(wanted if wanted in dict(self.options) else "")

    def action_pick(self, key: str) -> None:
        """Close the dialog with the answer `key`; "" cancels.

        If answers must be confirmed (`sure`), the first call asks for a y instead.
        """
        if self.sure and key and not self.chosen:
            self.chosen, self.options = key, (("y", dict(self.options)[key]),)
            self.title_text = localized(SURE)
            self.body.update(self._rows())
        else:
            self.leave((self.chosen or key) if key else None)


DIGITS = tuple("0123456789")


class LineScreen(PassingModal[str | None]):
    """Dialog in which a person types a line of text.

    Its result is the line, or None if cancelled by escape. `title`: bold heading. `wanted`: what to type.
    `number`: True to allow only digits.
    """

    DEFAULT_CSS = """
    LineScreen { align: center middle; }
    LineScreen Vertical {
        width: 52; height: auto; padding: 1 3; background: $strip; border: heavy $accent;
    }
    LineScreen { background: transparent; }
    """
    # Priority: the input would take ctrl+c for copying.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+c", "cancel", show=False, priority=True),
    ]

    def __init__(self, title: str, wanted: str, *, number: bool = False) -> None:
        super().__init__()
        self.title_text = title
        self.wanted = wanted
        self.input = Input(type="integer" if number else "text", select_on_focus=False)

    def compose(self) -> ComposeResult:
        """Yield the dialog's heading, its input, and a text on escape."""
        with Vertical():
            yield Static(Content.assemble((self.title_text, "bold"), f"\n\n{self.wanted}"))
            yield self.input
            yield Static(Content.styled(tr("escape: nothing happens"), "$muted"))

    @property
    def scan_title(self) -> str:
        """Text typed so far, shown above the choices of a person with one switch key."""
        return f"{self.wanted} {self.input.value}"

    def choices_now(self) -> list[Choice]:
        """Choices for typing a line with one switch.

        Done, rub out, cancel, and letters; digits alone if only a number is asked for.
        """
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
        """Close the dialog with the typed line.

        Spaces around it, and a leading plus, are removed.
        """
        self.leave(event.value.strip().lstrip("+"))

    def late(self, event: Key) -> bool:
        """Give the dialog's input a letter or enter pressed before it had opened.

        Returns False for any other key.
        """
        if event.key == "enter":
            return self.input.call_later(self.input.action_submit)
        return event.is_printable and self.input.post_message(Key(event.key, event.character))

    def action_cancel(self) -> None:
        """Close the dialog without a line: its result is None."""
        self.leave(None)


PAGE = 110
"""PAGE: most columns of text on a page over the table."""


class PageScreen(Passing[None]):
    """Page of text over the table; arrow keys scroll, all others close it.

    `title`: heading of the page.
    """

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
        """Yield the page's heading, its scrollable text, and a line on its keys."""
        yield Static(Content.styled(f" {self.heading} ", "bold $accent"), id="title")
        yield self.scroller
        yield Static(Content.styled(" " + tr("arrows scroll · any other key: back"), "$muted"))

    def on_mount(self) -> None:
        """Write the page's text, and let keys scroll it."""
        self.scroller.focus()
        self.paint()

    def paint(self) -> None:
        """Write the page's text; empty here, for subclasses to fill."""

    def choices_now(self) -> list[Choice]:
        """Choices on the page for a person with one switch key: down, up, close."""
        return [
            Choice(tr("down"), self.scroller.action_page_down, stays=True),
            Choice(tr("up"), self.scroller.action_page_up, stays=True),
            Choice(tr("back"), self.leave),
        ]

    def on_key(self, event: Key) -> None:
        """Close the page, unless the key scrolls.

        Arrows, page up, page down, home and end scroll.
        """
        if event.key not in ("up", "down", "pageup", "pagedown", "home", "end", "left", "right"):
            event.stop()
            event.prevent_default()
            self.leave(None)


class HelpScreen(PageScreen):
    """Help page: what may be done now, all keys, help on the game."""

    def __init__(self, game: Sequence[str] = (), now: Sequence[str] = ()) -> None:
        """Prepare the help page.

        `game`: lines of help on the game. `now`: sentences on what may be done now. Both are plain text,
        without markup.
        """
        super().__init__(tr("HELP"))
        self.game = game
        self.now = now

    def paint(self) -> None:
        """Write the text of the help page; it never changes."""
        rows = [Content.styled(sentence, "bold $accent") for sentence in self.now]
        rows += [*([Content("")] if rows else []), Content.from_markup(localized(HELP))]
        rows += [*([Content("")] if self.game else []), *map(Content, self.game)]
        self.body.update(Content("\n").join(rows))


class RowsScreen(PageScreen):
    """Page of text over the table, made anew for each width of the terminal."""

    def __init__(self, title: str, rows: Callable[[int], Sequence[Content]]) -> None:
        """Prepare the page with the heading `title`.

        `rows` returns the page's rows of text for a width in columns.
        """
        super().__init__(title)
        self.rows = rows

    def on_resize(self) -> None:
        """Write the page anew for the terminal's new width."""
        self.paint()

    def paint(self) -> None:
        """Write the page's rows, at most PAGE columns wide."""
        self.body.update(Content("\n").join(self.rows(min(PAGE, self.app.size.width - 4))))


class LogScreen(PageScreen):
    """Page with all sentences of the game, and the state of the board's link.

    The newest sentence is the lowest.
    """

    DEFAULT_CSS = """
    LogScreen #board { height: 2; width: 100%; }
    """

    def __init__(self, model: PublicModel) -> None:
        super().__init__(tr("LOG"))
        self.model = model
        self._shown = Content("")
        self.board = Panel("board")

    def compose(self) -> ComposeResult:
        """Yield the log page: heading, sentences, the board's link, keys."""
        title, body, footer = super().compose()
        yield from (title, body, self.board, footer)

    def on_resize(self) -> None:
        """Scroll the log to its newest sentence."""
        self.call_after_refresh(self.scroller.scroll_end, animate=False)

    def paint(self) -> None:
        """Write the log page, scrolled to the newest sentence.

        If the reader has scrolled up, it stays there.
        """
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
