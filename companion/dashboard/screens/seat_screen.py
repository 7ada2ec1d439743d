"""The private panel of the person in a seat of the virtual table: hand, knowledge, choices."""

from collections.abc import Sequence
from itertools import product
from string import ascii_lowercase, digits
from typing import ClassVar

import msgspec
from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.timer import Timer
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from companion.core.language import localized, text, tr
from companion.dashboard.labels import begun, fit
from companion.dashboard.model import WorldModel
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.themes import COLOURS, PLAIN
from companion.dashboard.widgets.panel import Panel, write_edge
from companion.session.stream.events import CardView
from companion.session.stream.virtual_table_events import YourTurn

FREE_LETTERS = "bdeijz"
"""FREE_LETTERS: letters to type for a choice; no key of the app uses them."""
ALL_LETTERS = (*FREE_LETTERS, *map("".join, product(FREE_LETTERS, ascii_lowercase)))
"""ALL_LETTERS: signs of letters, the shortest first."""
TYPED_S = 3.0
"""TYPED_S: time (s) after the last key until a partly typed sign is forgotten. A guess."""


KEPT_MENUS = 12
"""KEPT_MENUS: menus in a row without an action after which its letter may go to another. A guess."""


class Signs:
    """Signs to type for a seated person's choices: a number, a letter or two letters.

    An action that comes again keeps its letter, so a letter does not change its meaning from menu to menu.
    """

    def __init__(self) -> None:
        self._menu = 0
        self._letters: dict[str, tuple[str, int]] = {}
        """Action in words -> its letters, and the number of the last menu that offered it."""

    def of(self, actions: Sequence[str], numbers: Sequence[str]) -> list[str]:
        """Signs for the actions of a menu; "" once all letters are used up.

        `numbers`: printed number of each choice's card or place, "" for none. It is the sign, unless an earlier
        choice has it. All other choices get letters.
        """
        self._menu += bool(actions)
        own = [*numbers, *[""] * (len(actions) - len(numbers))]
        found = [number if number not in own[:at] else "" for at, number in enumerate(own[: len(actions)])]
        # Two choices of equal words are two actions.
        each = [f"{action} {actions[:at].count(action)}" for at, action in enumerate(actions)]
        lettered = [action for action, number in zip(each, found, strict=True) if not number]
        for action, (_, menu) in list(self._letters.items()):
            if action not in lettered and self._menu - menu > KEPT_MENUS:
                del self._letters[action]
        for action in lettered:
            sign = self._letters[action][0] if action in self._letters else self._free(lettered)
            self._letters[action] = (sign, self._menu)
        return [number or self._letters[action][0] for action, number in zip(each, found, strict=True)]

    def _free(self, lettered: Sequence[str]) -> str:
        """Letters that no action has; else those of the action that was offered longest ago."""
        used = {sign for sign, _ in self._letters.values()}
        if free := next((sign for sign in ALL_LETTERS if sign not in used), ""):
            return free
        old = [action for action in self._letters if action not in lettered and self._letters[action][0]]
        return self._letters.pop(min(old, key=lambda one: self._letters[one][1]))[0] if old else ""


class Choices(OptionList):
    """List of the actions that a seated person may choose.

    An action is chosen by arrows or by its typed sign, and then enter.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("backspace", "rub_out", show=False)]

    class Typed(Message):
        """Message: the typed part of a sign has changed.

        `typed`: that part; "" if forgotten. `wrong`: True if no choice's sign begins so.
        """

        def __init__(self, typed: str, *, wrong: bool) -> None:
            super().__init__()
            self.typed = typed
            self.wrong = wrong

    def __init__(self) -> None:
        super().__init__(id="choices", markup=False)
        self.typed = ""
        self.signs: Sequence[str] = ()
        self._forgotten: Timer | None = None

    def on_key(self, event: Key) -> None:
        """Highlight the choice whose sign begins with the typed keys.

        Any other key, except backspace and enter, makes the list forget what was typed.
        """
        if self.app.screen is not self.screen:
            return  # a dialog opened meanwhile: the key is for that
        key = (event.character or "").lower()
        # What no choice begins with, and what is of another kind, is followed by nothing: the key begins anew.
        goes_on = self._begins(self.typed) and self.typed.isdigit() == key.isdigit()
        typed = self.typed + key if goes_on else key
        if key and (key in digits or self._begins(typed)):
            event.stop()
            event.prevent_default()
            self._go(typed)
        elif event.key not in ("backspace", "enter"):
            self.forget()

    def action_rub_out(self) -> None:
        """Delete the last typed character of a choice's sign.

        The character is a letter or digit.
        """
        self._go(self.typed[:-1])

    def forget(self) -> None:
        """Forget a partly typed sign; the highlighted choice stays highlighted."""
        if self._forgotten is not None:
            self._forgotten.stop()
            self._forgotten = None
            self.typed = ""
            self.post_message(self.Typed("", wrong=False))

    def _begins(self, typed: str) -> bool:
        return bool(typed) and any(sign.startswith(typed) for sign in self.signs)

    def _go(self, typed: str) -> None:
        found = [at for at, sign in enumerate(self.signs) if typed and sign.startswith(typed)]
        exact = [at for at in found if self.signs[at] == typed]
        self.highlighted = next(iter([*exact, *found]), None)
        self.typed = typed
        if self._forgotten is not None:
            self._forgotten.stop()
        self._forgotten = self.set_timer(TYPED_S, self.forget)
        self.post_message(self.Typed(typed, wrong=bool(typed) and not found))


LEARNED = 3
"""LEARNED: most private facts that the panel shows at a time, the newest."""
IDLE_ROWS = 2
"""IDLE_ROWS: rows of the private panel while a seated person waits for a turn."""


class SeatPanel(Vertical):
    """Private panel of the person seated at the virtual table.

    It lies over the table screen, and shows cards in hand, new facts and choices. These come from the virtual
    table's socket alone, never from the engine.
    """

    DEFAULT_CSS = """
    SeatPanel {
        layer: over; dock: top; width: 100%; display: none;
        background: $page; border: heavy $secondary; border-title-color: $secondary;
    }
    SeatPanel.-idle { dock: bottom; border: none; }
    SeatPanel.-idle #choices { display: none; }
    SeatPanel #hand { height: 1; width: 100%; }
    SeatPanel #learned { height: 1; width: 100%; }
    SeatPanel #choices { height: 1fr; border: none; padding: 0; background: $page; scrollbar-size: 0 0; }
    """

    class Chosen(Message):
        """Message: the seated person has chosen an action.

        `index`: its index (from 0) in the offered actions.
        """

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self) -> None:
        super().__init__(id="seat")
        self.hand = Panel("hand")
        self.learned = Panel("learned")
        self.choices = Choices()
        self.rows = IDLE_ROWS
        """Rows that the private panel takes now."""
        self._title = self._status = ""
        self._turn: YourTurn | None = None
        self._offered: tuple[str, ...] | None = None
        self._signs = Signs()

    def compose(self) -> ComposeResult:
        """Yield the panel's parts: cards in hand, new facts, choices."""
        yield self.hand
        yield self.learned
        yield self.choices

    def on_mount(self) -> None:
        """Count the choices out of sight whenever the list scrolls.

        The panel's border has their number.
        """
        for name in ("scroll_y", "virtual_size", "size"):
            self.watch(self.choices, name, self._write_border, init=False)

    def on_resize(self) -> None:
        """Write the number of choices out of sight on the border."""
        self.call_after_refresh(self._write_border)

    def _write_border(self) -> None:
        title = self._title + (f"· {hidden}: ↑ ↓ " if (hidden := self._out_of_sight()) else "")
        write_edge(self, title=title, subtitle=self._status)

    @property
    def _room(self) -> int:
        """Columns for the row with the cards in hand, within the panel's border."""
        return self.app.size.width - (0 if self.has_class("-idle") else 2)

    def _out_of_sight(self) -> str:
        """Say how many choices are hidden above and below the visible ones; "" if none is."""
        choices = self.choices
        if not choices.option_count or not choices.display or not choices.size.height:
            return ""
        above = round(choices.scroll_y)
        below = choices.virtual_size.height - choices.size.height - above
        counts = [(above, text("{number} more above")), (below, text("{number} more below"))]
        return ", ".join(localized(said.of(number=count)) for count, said in counts if count > 0)

    def paint(
        self,
        world: WorldModel,
        names: PlayerNames,
        above: int,
        rows: int,
        status: str,
        *,
        due: bool = False,
        scanned: int = 0,
    ) -> None:
        """Show the seated person's cards, new facts and choices.

        The panel is hidden without a seat, or while the person hides the hand. With choices, it has `rows`
        rows, below the `above` rows of the banner. `status`: text that the panel may cover, then shown in its
        border. `due`: True if the engine has begun the person's turn, and the virtual table has not.
        `scanned`: rows below the panel in which choices light up for one switch key; the panel then lists
        none.
        """
        turn = self._turn = with_names(world.turn, names) if world.turn and world.seat else None
        self._fit(above, rows, scanned)
        self.display = turn is not None and not world.hand_hidden
        if turn is None:
            self.hand.show(Content(""))
            self.learned.show(Content(""))
            self._offer((), (), None)
            return
        private = tr("PRIVATE: {name} only · m hides", name=names.name(turn.player))
        self._title, self._status = f" {private} ", status
        self._write_border()
        if not self.choices.typed:
            self.hand.show(hand(turn, width=self._room, due=due, scanned=scanned > 0))
        self.learned.show(learned(turn, self._room))
        self.learned.display = bool(turn.learned) or not turn.on_turn  # else a row more for the choices
        self._offer(turn.actions, turn.numbers, turn.safe)
        if self.display and turn.actions and not scanned and self.screen.focused is not self.choices:
            self.choices.focus()
        elif not self.display and self.screen.focused is self.choices:
            self.screen.set_focus(None)

    def _fit(self, above: int, rows: int, scanned: int) -> None:
        """Set the panel's height and margins; parameters as in `paint`.

        Without listed choices it has IDLE_ROWS.
        """
        idle = self._turn is None or not self._turn.on_turn or scanned > 0
        self.set_class(idle, "-idle")
        self.styles.height = self.rows = IDLE_ROWS if idle else rows
        keys = 0 if self.has_class("-lowest") else 2
        self.styles.margin = (0, 0, keys + scanned, 0) if idle else (above, 0, 0, 0)

    def _offer(self, actions: tuple[str, ...], numbers: tuple[str, ...], safe: int | None) -> None:
        if actions == self._offered:
            return
        self._offered = actions
        self.choices.forget()
        self.choices.signs = self._signs.of(actions, numbers)
        self.choices.clear_options()
        self.choices.add_options(
            Option(f"{sign:>3}  {action}") for sign, action in zip(self.choices.signs, actions, strict=True)
        )
        # A single choice is highlighted: Enter takes it.
        self.choices.highlighted = 0 if len(actions) == 1 else safe
        self.call_after_refresh(self._write_border)

    def on_choices_typed(self, event: Choices.Typed) -> None:
        """Show a sign's typed part beside the cards in hand."""
        event.stop()
        if self._turn is not None:
            self.hand.show(hand(self._turn, event.typed, wrong=event.wrong, width=self._room))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Send the app the action chosen by enter (message `Chosen`)."""
        event.stop()
        self.choices.forget()
        self.post_message(self.Chosen(event.option_index))


def with_names(turn: YourTurn, names: PlayerNames) -> YourTurn:
    """Seat's private view with players' names instead of numbers.

    Actions and new facts then begin with a capital letter.
    """
    actions, learned = (
        tuple(begun(names.put_into(line)) for line in lines) for lines in (turn.actions, turn.learned)
    )
    return msgspec.structs.replace(turn, actions=actions, learned=learned)


def hand(
    turn: YourTurn,
    typed: str = "",
    *,
    wrong: bool = False,
    width: int = 0,
    due: bool = False,
    scanned: bool = False,
) -> Content:
    """Row of text with a seated person's cards, and what to do now.

    `typed`: typed part of a choice's sign; `wrong`: True if no choice's sign begins so. `width`: columns, 0
    for any number; long words are shortened to fit. `due`: True if the engine has begun the person's turn, and
    the virtual table has not. `scanned`: True if choices light up for one switch key.
    """
    held = tr("your hand") if turn.on_turn else tr("PRIVATE hand")
    row = Content(" ").join([_chip(card) for card in turn.hand])
    told = _asked_of(turn, typed, wrong=wrong, due=due, scanned=scanned)
    ways = [(f" {held}  ", f"   {one}") for one in told] + [(" ", f"  {told[-1]}")]
    rows = [Content.assemble(before, row, after) for before, after in ways]
    return next((one for one in rows if not width or one.cell_length <= width), rows[-1])


def _asked_of(turn: YourTurn, typed: str, *, wrong: bool, due: bool, scanned: bool) -> list[str]:
    """What a seated person can do now, in words, the longest wording first.

    The parameters are those of `hand`.
    """
    if not turn.on_turn:
        return [tr("your turn: one moment") if due else tr("not your turn yet")]
    if scanned:
        return [tr("press when it is lit")]
    if not turn.actions:
        return [tr("your hands are on the table"), tr("one moment")]
    if typed and wrong:
        return [tr("{typed}: no such choice", typed=typed), f"{typed}?"]
    if typed:
        return [tr("{typed}▌ enter takes it", typed=typed), f"{typed}▌"]
    if len(turn.actions) == 1:
        return [tr("one choice: enter"), tr("enter")]
    return [tr("number, letter or arrows; enter"), tr("arrows, enter")]


def _chip(card: CardView) -> Content:
    colour = card.colour if card.colour in COLOURS else PLAIN
    word = card.kind if card.kind.isdigit() else card.name
    return Content.styled(f" {word} ", f"bold ${colour}-ink on ${colour}")


def learned(turn: YourTurn, width: int = 0) -> Content:
    """Row of text with private facts learned in a seat.

    At most LEARNED facts, in `width` columns (0: any number). The oldest are left out if not all fit; ".."
    shows cut words. Empty without facts.
    """
    if not turn.learned:
        return Content("")
    before, told = " " + tr("you know") + "   ", list(turn.learned[-LEARNED:])
    room = width - cell_len(before) if width else 0
    while room and told[1:] and cell_len("  ".join(told)) > room:
        del told[0]
    words = "  ".join(told)
    return Content.assemble((before, "$muted"), (fit(words, room) if room else words, "bold"))
