"""The first screen: which game, who plays, at which table; or set parts up, go on, look at the history."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.screen import Screen

from companion.core.language import localized, text, tr
from companion.core.language import player as player_number
from companion.dashboard.display_settings import DEFAULT_LOOK, KeptChoices, ScreenLook
from companion.dashboard.labels import beside_name, fit, in_sight, padded, title, variant_title, with_colon
from companion.dashboard.one_switch.scanner import Choice
from companion.dashboard.one_switch.switch_scan import SwitchScan, letters
from companion.dashboard.player_names import ground, sign
from companion.dashboard.start_form import StartForm
from companion.dashboard.themed_app import ThemedApp, room_of
from companion.dashboard.widgets.big_letters import big
from companion.dashboard.widgets.panel import Panel
from companion.dashboard.widgets.rig_list import RigOffer, rig_list, rig_rows
from companion.dashboard.widgets.sleeper_picture import sleeper_picture

WIDE, TALL, NARROW = 118, 34, 60
"""WIDE, TALL: least columns and rows of a terminal on which the start screen has a large heading. NARROW:
columns of the start screen's content on a smaller one.
"""
COLUMN, MOST = 50, 160
"""COLUMN: columns of the form if earlier games stand beside it. MOST: most columns of the table of sensor
rigs.
"""
MARK = "►"
"""MARK: sign before the current row of the form, the one that keys change."""
PLAY, SETUP, GO_ON, WATCH, LEAVE = "play", "setup", "go on", "watch", "leave"
"""Choices that close the start screen.

PLAY: new game. SETUP: set up parts. GO_ON: resume the last game. WATCH: replay a game. LEAVE: quit.
"""
HISTORY, RIGS, KEYS = "history", "rigs", "keys"
"""Choices that open a page: earlier games, what rigs can prove, help."""


def start_page(form: StartForm, width: int, height: int) -> Content:
    """Start screen as text of `width` columns and `height` rows.

    It has a large heading, and earlier games beside the form, on at least WIDE columns and TALL rows. If rows
    are short, those near the current row stay.
    """
    large = width >= WIDE and height >= TALL
    pad = max(1, (width - (WIDE - 16 if large else NARROW)) // 2)
    rows = [Content(""), *_heading(large=large), *_choices(form)]
    before = _before(form, (width - pad - COLUMN if large else width - pad - 2) - 2)
    if large:
        # Where there is room, what was played before stands beside the form, and the rigs below both.
        rows = _beside(rows, before, at=len(_heading(large=True)) + 1)
    rows += [*([Content("")] if large else []), *_buttons(form, width - pad - 1)]
    rows = [Content.assemble(" " * pad, row) for row in rows]
    if large:
        rows += _rigs(form.offer.rigs, width, height - len(rows) - 2)
        rows = [Content("")] * min(6, (height - len(rows)) // 3) + rows
    else:
        space = height - len(rows) - 3
        shown = [Content(""), *before][: max(0, space)]
        headings = ("", tr("the last evening"), tr("played before"))
        while shown and shown[-1].plain in headings:
            shown.pop()  # a heading of nothing
        rows += [Content.assemble(" " * (pad + 2), row) for row in shown]
    if len(rows) > height - 1:
        chosen = next(at for at, row in enumerate(rows) if row.plain.lstrip().startswith(MARK))
        rows = [*in_sight(rows, chosen, height - 1)]
    keys = tr("↑↓ row  ←→ choice  letters: a name  F2 colours  esc leave")
    rows += [Content("")] * max(0, height - len(rows) - 1)
    rows[height - 1 :] = [Content.assemble(" " * pad, (keys, "$muted"))]
    return Content("\n").join(rows)


def _beside(rows: list[Content], others: Sequence[Content], at: int) -> list[Content]:
    """Rows of text with others written to their right, from column COLUMN on.

    `others` begin at row `at` (from 0) of `rows`.
    """
    rows = rows + [Content("")] * (at + len(others) - len(rows))
    for row, other in enumerate(others, at):
        rows[row] = Content.assemble(rows[row], " " * max(2, COLUMN - rows[row].cell_length), other)
    return rows


def _rigs(rigs: Sequence[RigOffer], width: int, room: int) -> list[Content]:
    """Centred table of what rigs (sets of sensors) prove, with a title.

    `width`: columns. [] if it would exceed `room` rows.
    """
    wide = min(width - 4, MOST)
    rows = rig_rows(rigs, wide)
    if not rows or len(rows) + 3 > room:
        return []
    title = Content.styled(tr("what a rig can prove"), "bold $accent")
    left = " " * ((width - wide) // 2)
    return [Content(""), *(Content.assemble(left, row) for row in (Content(""), title, *rows))]


def _choices(form: StartForm) -> list[Content]:
    """Start form's rows, each with its current choice.

    A sentence on why a choice is impossible follows, if there is one.
    """
    rows: list[Content] = []
    for number, name in enumerate(form.rows):
        last = number + 1 == len(form.rows)
        rows.append(_row(form, number, name))
        if (
            name == "players"
            or last
            or form.rows[number + 1] == "record"
            or (name.startswith("name") and not form.rows[number + 1].startswith("name"))
        ):
            rows.append(Content(""))
    if wrong := form.wrong() or form.told:
        rows.append(Content.styled(f" {wrong} ", "bold $state-ink on $perhaps"))
    return rows


def _before(form: StartForm, width: int) -> list[Content]:
    """Rows on earlier games and on the last evening's results.

    Each is shortened to `width` columns.
    """
    rows: list[Content] = []
    if form.evening:
        rows += [Content.styled(tr("the last evening"), "bold $accent")]
        rows += [Content(fit(line, width)) for line in form.evening]
        rows += [Content("")] if form.history else []
    if form.history:
        rows += [Content.styled(tr("played before"), "bold $accent")]
        rows += [Content.styled(whole_parts(line, width), "$muted") for line in form.history]
    return rows


def whole_parts(line: str, width: int) -> str:
    """Line of text cut at one of its commas to at most `width` columns.

    ".." at its end shows that parts are missing. If even the first part is too long, it is cut within.
    """
    if cell_len(line) <= width:
        return line
    parts = line.split(", ")
    while parts[1:] and cell_len(", ".join([*parts, ".."])) > width:
        del parts[-1]
    return fit(", ".join([*parts, ".."]), width)


def _heading(*, large: bool) -> list[Content]:
    """Rows with the program's name in big letters.

    `large`: larger letters, and a sleeper beside them.
    """
    letters = [Content.styled(row, "bold $accent") for row in big("COMPANION", 2 if large else 1)]
    if not large:
        return [*letters, Content("")]
    sleeper = sleeper_picture("asleep", "pink", 6, 3, 1)
    above = len(sleeper) - len(letters)
    lines = [Content("")] * above + letters
    joined = [Content.assemble(picture, "    ", line) for picture, line in zip(sleeper, lines, strict=True)]
    return [Content(""), *joined, Content(""), Content("")]


_ROWS = {
    "game": text("game"),
    "variant": text("variant"),
    "players": text("players"),
    "table": text("table"),
    "you": text("you"),
    "record": text("recording"),
    "keep": text("keep"),
}
"""_ROWS: name of a row of the form, as in StartForm.rows -> its label for people."""


def _row(form: StartForm, number: int, name: str) -> Content:
    here = number == form.row
    wide = max(9, *(len(localized(_ROWS[one])) for one in form.rows if one in _ROWS))
    mark = Content.styled(f"{MARK} " if here else "  ", "bold $accent")
    if name.startswith("name"):
        player = int(name.split()[1])
        typed = form.names[player - 1]
        shown = f"{typed}▌" if here else typed or localized(player_number(player, within=True))
        full = (beside_name(typed) if here else "", "$muted")
        style = "bold" if here or typed else "$muted"
        who = Content.styled(f" {sign(player)} ", f"bold $state-ink on ${ground(player)}")
        line = Content.assemble(mark, " " * wide, who, "  ", (padded(shown, 16), style), full)
    else:
        words = row_words(form, name)
        style = "bold $key-ink on $key" if here else "bold"
        line = Content.assemble(mark, (localized(_ROWS[name]).ljust(wide), "$muted"), (f" ◄ {words} ► ", style))
    return line.stylize(f"@click=screen.touch({number})")


def row_words(form: StartForm, name: str) -> str:
    """Current choice in a start form row, in words.

    `name`: name of the row, as in StartForm.rows, but not a player's name.
    """
    return {
        "game": title(form.offer.name),
        "variant": variant_title(form.variant_name),
        "players": str(form.players),
        "table": localized(form.tables[form.table][1]),
        "you": form.seat_in_words(),
        "record": tr("yes: of a real table, mat and hands") if form.record else tr("no, no pictures are kept"),
        "keep": tr("games and names: {how_long}", how_long=form.kept_in_words()),
    }[name]


def _buttons(form: StartForm, width: int) -> list[Content]:
    """Rows with the start screen's buttons and their keys.

    A row has at most `width` columns.
    """
    play = Content.styled("   " + tr("ENTER  PLAY") + "   ", "bold $accent-ink on $accent").stylize(
        "@click=screen.choose('play')"
    )
    others = _button("F3", tr("set parts up"), SETUP), _button("F1", tr("help"), KEYS)
    rows = [Content.assemble("  ", Content("     ").join((play, *others)))]
    if form.last:
        words = fit(tr("go on with {game}", game=form.last), width - 8)
        rows += [Content(""), Content.assemble("  ", _button("F4", words, GO_ON))]
    if form.history:
        words = whole_parts(tr("watch again: {game}", game=form.history[0]), width - 8)
        rows += [*([] if form.last else [Content("")]), Content.assemble("  ", _button("F5", words, WATCH))]
    more = [_button("F6", tr("history"), HISTORY)] if form.history else []
    more += [_button("F7", tr("what a rig can prove"), RIGS)] if form.offer.rigs else []
    if more:
        rows.append(Content.assemble("  ", Content("     ").join(more)))
    return rows


def _button(key: str, says: str, choice: str) -> Content:
    drawn = Content.assemble((f" {key} ", "bold $key-ink on $key"), f" {says}")
    return drawn.stylize(f"@click=screen.choose('{choice}')")


_ENDS = {
    "enter": PLAY,
    "f3": SETUP,
    "f4": GO_ON,
    "f5": WATCH,
    "f6": HISTORY,
    "f7": RIGS,
    "f1": KEYS,
    "escape": LEAVE,
    "ctrl+c": LEAVE,
    "ctrl+q": LEAVE,
}
"""_ENDS: key -> choice that it makes on the start screen, such as PLAY."""


class StartScreen(Screen[None]):
    """Start screen: form with game, players and table, buttons.

    Keys and touch change the form.
    """

    DEFAULT_CSS = """
    StartScreen #page { width: 100%; height: 100%; }
    """
    AUTO_FOCUS = ""

    def __init__(self, form: StartForm) -> None:
        super().__init__()
        self.form = form
        self.body = Panel("page")

    def compose(self) -> ComposeResult:
        """Yield the start screen's only widget: all its text."""
        yield self.body

    def on_resize(self) -> None:
        """Lay out the start screen for the new size."""
        self.paint()

    def paint(self) -> None:
        """Write the start screen with its current choices."""
        self.body.show(start_page(self.form, *room_of(self.app)))

    def on_key(self, event: Key) -> None:
        """Change the start form by a key, or make a choice that ends it.

        Up and down choose a row, left and right its value; letters write a name. F2 changes the theme; the
        keys in _ENDS make their choice.
        """
        event.stop()
        event.prevent_default()
        self.form.told = ""
        steps = {"up": -1, "down": 1, "shift+tab": -1, "tab": 1}
        changes = {"left": -1, "right": 1}
        if event.key in _ENDS:
            return self.action_choose(_ENDS[event.key])
        if event.key in steps:
            self.form.move(steps[event.key])
        elif event.key in changes:
            self.form.change(changes[event.key])
        elif event.key == "backspace":
            self.form.rub_out()
        elif event.key == "f2":
            assert isinstance(self.app, StartApp)
            self.app.kept.choose(self.app.next_theme(), "screen", "theme")
        elif event.character and event.is_printable:
            self.form.write(event.character)
        self.paint()
        return None

    def _tell(self, why: str) -> None:
        """Show on the start screen why a choice is impossible.

        `why`: a sentence, shown until the next key.
        """
        self.form.told = why
        self.paint()

    def action_touch(self, row: int) -> None:
        """Make the clicked row of the form current; if it was, set its next choice.

        `row`: number of the row, from 0.
        """
        if row == self.form.row:
            self.form.change(1)
        self.form.row = row
        self.paint()

    def choices_now(self) -> Sequence[Choice]:
        """Start screen's choices for a person with one switch.

        Play, all rows of the form, and all buttons. A player's name opens a menu of letters.
        """
        form = self.form
        rows = [self._choice_of(number, name) for number, name in enumerate(form.rows)]
        ends = [(PLAY, tr("PLAY")), (SETUP, tr("set parts up")), (KEYS, tr("help"))]
        ends += [(GO_ON, tr("go on with {game}", game=form.last))] if form.last else []
        if form.history:
            ends += [(WATCH, tr("watch again: {game}", game=form.history[0])), (HISTORY, tr("history"))]
        ends += [(RIGS, tr("what a rig can prove"))] if form.offer.rigs else []
        ends.append((LEAVE, tr("leave")))
        play, *others = (Choice(words, partial(self.action_choose, choice)) for choice, words in ends)
        return [play, *rows, *others]

    def _choice_of(self, number: int, name: str) -> Choice:
        form = self.form
        if not name.startswith("name"):
            words = f"{with_colon(localized(_ROWS[name]))} {row_words(form, name)}"
            return Choice(words, partial(self._at_row, number, partial(form.change, 1)))
        player = int(name.split()[1])
        typed = form.names[player - 1] or localized(player_number(player, within=True))
        written = letters(
            lambda letter: self._at_row(number, partial(form.write, letter)),
            lambda: self._at_row(number, form.rub_out),
        )
        return Choice(typed, inside=written)

    def _at_row(self, number: int, do: Callable[[], object]) -> None:
        """Make the form's row `number` (from 0) current, call `do`, and repaint."""
        self.form.told = ""
        self.form.row = number
        do()
        self.paint()

    def action_choose(self, choice: str) -> None:
        """Make a choice: PLAY, SETUP, GO_ON, WATCH, LEAVE, HISTORY, RIGS or KEYS.

        It closes the app or opens a page. If it is impossible, the start screen says why, or stays.
        """
        if choice == PLAY and self.form.wrong():
            return None
        if choice == GO_ON and not self.form.last:
            return self._tell(tr("No game at a real table was left unfinished."))
        if choice == WATCH and not self.form.history:
            return self._tell(tr("No game was recorded yet."))
        assert isinstance(self.app, StartApp)
        if choice == HISTORY:
            return self.app.show_history()
        if choice == KEYS:
            return self._show_keys()
        if choice == RIGS:
            return self._show_rigs()
        self.app.end(choice)
        return None

    def _show_keys(self) -> None:
        from companion.dashboard.screens.dialogs import HelpScreen

        self.app.push_screen(HelpScreen())

    def _show_rigs(self) -> None:
        from companion.dashboard.screens.dialogs import RowsScreen

        if self.form.offer.rigs:
            rigs = self.form.offer.rigs
            self.app.push_screen(RowsScreen(tr("WHAT A RIG CAN PROVE"), lambda width: rig_list(rigs, width)))


class StartApp(ThemedApp):
    """App of the start screen, where people choose a game or something else.

    After it has closed, `choice` (PLAY, SETUP, GO_ON, WATCH or LEAVE) and `form` have the answer.
    """

    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        form: StartForm,
        look: ScreenLook = DEFAULT_LOOK,
        history: Callable[[], Screen[Path | None]] | None = None,
    ) -> None:
        """Build the app around a form.

        `look`: colours, motion and size. `history` makes the page of earlier games, whose result is the
        journal of a game to replay, or None. None instead of `history`: no such page.
        """
        super().__init__(look.theme)
        self.scan = SwitchScan(self, look)
        self.kept = KeptChoices(look.file)
        """Theme chosen on the start screen, not yet in the settings file."""
        self.form = form
        self.choice = LEAVE
        self.watched: Path | None = None
        """Journal of the game to replay, chosen on the page of earlier games; None for the newest."""
        self._history = history

    def end(self, choice: str) -> None:
        """Close the start app with a choice: PLAY, SETUP, GO_ON, WATCH or LEAVE."""
        self.choice = choice
        self.exit()

    def show_history(self) -> None:
        """Open the page of earlier games.

        A game chosen there closes the app with WATCH. Nothing opens if there are no games.
        """

        def watch(journal: Path | None) -> None:
            if journal is not None:
                self.watched = journal
                self.end(WATCH)

        if self._history is not None and self.form.history:
            self.push_screen(self._history(), watch)

    def get_default_screen(self) -> Screen[None]:
        """Return the start screen with the form."""
        return StartScreen(self.form)
