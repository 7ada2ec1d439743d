"""The private panel of the person in a seat of the virtual table: hand, knowledge, choices."""

from string import digits
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from companion.core.language import localized, text, tr
from companion.dashboard.model import WorldModel
from companion.dashboard.themes import COLOURS, PLAIN
from companion.dashboard.widgets.panel import Panel, write_edge
from companion.session.events import CardView
from companion.session.virtual_table_events import YourTurn


class Choices(OptionList):
    """The numbered actions, chosen by arrows or by number, and enter."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("backspace", "rub_out", show=False)]

    class Outside(Message):
        """A number was typed that no action has."""

        def __init__(self, number: int, most: int) -> None:
            super().__init__()
            self.number = number
            self.most = most

    def __init__(self) -> None:
        super().__init__(id="choices", markup=False)
        self.typed = ""

    def on_key(self, event: Key) -> None:
        """A digit selects the action of that number; a number that no action has selects nothing."""
        if self.app.screen is not self.screen:
            return  # a dialog opened meanwhile: the key is for that
        if event.character and event.character in digits:
            event.stop()
            self._go((self.typed if self._number else "") + event.character)
        elif event.key != "backspace":
            self.typed = ""

    def action_rub_out(self) -> None:
        """Delete the last digit."""
        self._go(self.typed[:-1])

    @property
    def _number(self) -> int:
        """The number typed so far; 0 if there is none, or no action of that number."""
        typed = int(self.typed or "0")
        return typed if typed <= self.option_count else 0

    def _go(self, typed: str) -> None:
        self.typed = typed
        self.highlighted = self._number - 1 if self._number else None
        if typed and not self._number and self.option_count:
            self.post_message(self.Outside(int(typed), self.option_count))


IDLE_ROWS = 2
"""IDLE_ROWS: rows of the panel of a person whose turn it is not."""


class SeatPanel(Vertical):
    """Shown over the upper part of the table screen. Its only source is the table's own socket."""

    DEFAULT_CSS = """
    SeatPanel {
        layer: over; dock: top; width: 100%; display: none;
        background: $page; border: heavy $secondary; border-title-color: $secondary;
    }
    SeatPanel.-idle { dock: bottom; border: none; margin-bottom: 2; }
    SeatPanel.-idle.-lowest { margin-bottom: 0; }
    SeatPanel.-idle #choices { display: none; }
    SeatPanel #hand { height: 1; width: 100%; }
    SeatPanel #learned { height: 1; width: 100%; }
    SeatPanel #choices { height: 1fr; border: none; padding: 0; background: $page; scrollbar-size: 0 0; }
    """

    class Chosen(Message):
        """The person chose the action of this index (from 0)."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self) -> None:
        super().__init__(id="seat")
        self.hand = Panel("hand")
        self.learned = Panel("learned")
        self.choices = Choices()
        self.rows = IDLE_ROWS
        """Rows of the panel."""
        self._title = self._status = ""
        self._offered: tuple[str, ...] | None = None

    def compose(self) -> ComposeResult:
        yield self.hand
        yield self.learned
        yield self.choices

    def on_mount(self) -> None:
        """The border shows how many choices are out of sight, so it follows the list."""
        for name in ("scroll_y", "virtual_size", "size"):
            self.watch(self.choices, name, self._write_border, init=False)

    def on_resize(self) -> None:
        """Another height shows another number of choices."""
        self.call_after_refresh(self._write_border)

    def _write_border(self) -> None:
        title = self._title + (f"· {hidden} " if (hidden := self._out_of_sight()) else "")
        write_edge(self, title=title, subtitle=self._status)

    def _out_of_sight(self) -> str:
        """Number of choices above and below those shown, in words; empty if all are shown."""
        choices = self.choices
        if not choices.option_count or not choices.display or not choices.size.height:
            return ""
        above = round(choices.scroll_y)
        below = choices.virtual_size.height - choices.size.height - above
        counts = [(above, text("{number} more above")), (below, text("{number} more below"))]
        return ", ".join(localized(said.of(number=count)) for count, said in counts if count > 0)

    def paint(self, world: WorldModel, name: str, rows: int, status: str) -> None:
        """Show the newest private view, on `rows` rows while there is something to choose; hidden without a
        seat.

        `name`: of the person; `status`: what the panel may cover.
        """
        turn = world.turn if world.seat else None
        self.rows = rows if turn is not None and turn.on_turn else IDLE_ROWS
        self.styles.height = self.rows
        self.set_class(turn is None or not turn.on_turn, "-idle")
        self.display = turn is not None and not world.hand_hidden
        if turn is None:
            self.hand.show(Content(""))
            self.learned.show(Content(""))
            self._offer((), None)
            return
        self._title, self._status = " " + tr("PRIVATE: {name} only · m hides", name=name) + " ", status
        self._write_border()
        self.hand.show(hand(turn))
        self.learned.show(learned(turn))
        self._offer(turn.actions, turn.safe)
        if self.display and turn.actions and self.screen.focused is not self.choices:
            self.choices.focus()
        elif not self.display and self.screen.focused is self.choices:
            self.screen.set_focus(None)

    def _offer(self, actions: tuple[str, ...], safe: int | None) -> None:
        if actions == self._offered:
            return
        self._offered = actions
        self.choices.typed = ""
        self.choices.clear_options()
        self.choices.add_options(Option(f"{number:3d}  {text}") for number, text in enumerate(actions, 1))
        # A single choice is highlighted: Enter takes it.
        self.choices.highlighted = 0 if len(actions) == 1 else safe
        self.call_after_refresh(self._write_border)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter on an action."""
        event.stop()
        self.choices.typed = ""
        self.post_message(self.Chosen(event.option_index))


def hand(turn: YourTurn) -> Content:
    """The person's own cards, and whether it is their turn."""
    cards = [_chip(card) for card in turn.hand]
    whose = tr("not your turn yet")
    if turn.on_turn:
        whose = tr("1 to {most}, or arrows; enter", most=len(turn.actions))
        if len(turn.actions) == 1:
            whose = tr("one choice: enter")
        if not turn.actions:
            whose = tr("your hands are on the table")
    held = tr("your hand") if turn.on_turn else tr("PRIVATE hand")
    return Content.assemble(f" {held}  ", Content(" ").join(cards), f"   {whose}")


def _chip(card: CardView) -> Content:
    colour = card.colour if card.colour in COLOURS else PLAIN
    word = card.kind if card.kind.isdigit() else card.name
    return Content.styled(f" {word} ", f"bold ${colour}-ink on ${colour}")


def learned(turn: YourTurn) -> Content:
    """What the person has just learned. Nobody else sees it."""
    text = "  ".join(turn.learned[-3:])
    return Content.assemble((" " + tr("you know") + "   ", "$muted"), (text, "bold")) if text else Content("")
