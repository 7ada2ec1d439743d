"""History screen: games, people, evenings, and plots of scores."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key

from companion.core.errors import BadInputError
from companion.core.language import Text, localized, term, text, tr
from companion.dashboard.labels import fit, title
from companion.dashboard.screens.close_once import Passing
from companion.dashboard.widgets.panel import Panel
from companion.history.database import GameRecord, History, at_real_tables
from companion.history.evening import evening_lines, last_evening
from companion.history.plots import plots
from companion.history.statistics import Row, by_evening, by_person

WIDE, TALL = 118, 38
"""From so many columns and rows of a terminal on, all parts are shown side by side."""


class Part(IntEnum):
    """Part of the history screen.

    A small terminal shows one at a time.
    """

    GAMES = 0
    PEOPLE = 1
    EVENINGS = 2
    PLOTS = 3


_TITLES = {
    Part.GAMES: text("games"),
    Part.PEOPLE: text("people"),
    Part.EVENINGS: text("evenings"),
    Part.PLOTS: text("plots"),
}
_COLUMNS: dict[Part, dict[str, Text]] = {
    Part.PEOPLE: {
        "player": text("who"),
        "games": text("games"),
        "won": text("won"),
        "contests": text("of"),
        "together_percent": text("together %"),
        "turn_s": text("turn s"),
    },
    Part.EVENINGS: {
        "evening": text("evening"),
        "games": text("games"),
        "ended": text("ended"),
        "minutes_mean": text("min a game"),
        "people": text("who"),
    },
}
"""Part of the screen -> column -> heading."""


@dataclass(slots=True)
class HistoryView:
    """What the history screen shows: games (newest first), the part shown, the index of the chosen game."""

    games: Sequence[GameRecord] = ()
    part: Part = Part.GAMES
    chosen: int = 0
    reading: bool = True
    """Journals are still being read."""

    def turn(self, step: int) -> None:
        """Show the part `step` places further on.

        After the last comes the first.
        """
        self.part = Part((self.part + step) % len(Part))

    def move(self, step: int) -> None:
        """Choose the game `step` rows down, within the list."""
        self.chosen = max(0, min(len(self.games) - 1, self.chosen + step))

    @property
    def journal(self) -> Path | None:
        """Journal of the chosen game.

        None if there are no games.
        """
        return Path(self.games[self.chosen].journal) if self.chosen < len(self.games) else None


def history_page(view: HistoryView, width: int, height: int) -> Content:
    """The whole history screen as text, for a terminal of `width` columns and `height` rows."""
    large = width >= WIDE and height >= TALL
    rows = [_heading(view, large=large), Content("")]
    room = height - len(rows) - 2
    if not view.games:
        says = tr("Reading the journals ...") if view.reading else tr("No game was played yet.")
        rows.append(Content(f"  {says}"))
    elif large:
        rows += _side_by_side(view, width, room)
    else:
        table = view.part in _COLUMNS
        rows += [Content.assemble("  " * table, row) for row in _part(view, view.part, width - 4, room)]
    rows = rows[: height - 1]
    rows += [Content("")] * (height - 1 - len(rows))
    keys = tr("↑↓ game   enter: watch it again   esc: back")
    more = tr("←→ more")
    return Content("\n").join([*rows, Content.styled(f"  {keys}" if large else f"  {more}   {keys}", "$muted")])


def _heading(view: HistoryView, *, large: bool) -> Content:
    name = Content.styled(tr(" HISTORY "), "bold $accent")
    if large:
        return name
    tabs = [
        Content.styled(
            f" {localized(said)} ", "bold $accent-ink on $accent" if part is view.part else "$muted"
        ).stylize(f"@click=screen.show({int(part)})")
        for part, said in _TITLES.items()
    ]
    return Content.assemble(name, "  ", Content(" ").join(tabs))


def _side_by_side(view: HistoryView, width: int, room: int) -> list[Content]:
    """Rows of a large screen: games left, people and evenings right, plots below.

    Without a game at a real table the right side says so, and there are no plots.
    """
    half = (width - 6) // 2
    if not at_real_tables(view.games):
        none = Content.styled(tr("No game at a real table yet."), "$muted")
        return _beside([_title(Part.GAMES), *_games(view, half, room - 1)], [none], half, room)
    above = room - min(18, room // 3) - 1
    left = [_title(Part.GAMES), *_games(view, half, above - 1)]
    right: list[Content] = []
    if tonight := evening_lines(last_evening(view.games)):
        right += [Content.styled(tr("the last evening"), "bold $accent"), *map(Content, tonight), Content("")]
    people = _part(view, Part.PEOPLE, half, max(2, (above - len(right)) // 2 - 2))
    right += [_title(Part.PEOPLE), *people, Content("")]
    right += [_title(Part.EVENINGS), *_part(view, Part.EVENINGS, half, max(2, above - len(right) - 1))]
    above = min(above, max(len(left), len(right)))
    return [*_beside(left, right, half, above), Content(""), *_plots(view, width - 4, room - above - 1)]


def _title(part: Part) -> Content:
    return Content.styled(localized(_TITLES[part]), "bold $accent")


def _beside(left: Sequence[Content], right: Sequence[Content], width: int, rows: int) -> list[Content]:
    """Rows with `left` in `width` letters, and `right` beside it."""
    blank = Content("")
    pairs = [
        (left[at] if at < len(left) else blank, right[at] if at < len(right) else blank) for at in range(rows)
    ]
    return [Content.assemble("  ", one, " " * (width + 2 - one.cell_length), other) for one, other in pairs]


def _part(view: HistoryView, part: Part, width: int, room: int) -> list[Content]:
    match part:
        case Part.GAMES:
            return [Content.assemble("  ", row) for row in _games(view, width, room)]
        case Part.PEOPLE:
            rows = by_person(view.games)
            real = at_real_tables(view.games)
            none = tr("Nobody has a name yet.") if real else tr("No game at a real table yet.")
            return _table(rows, part, width, room) or [Content.styled(none, "$muted")]
        case Part.EVENINGS:
            none = tr("No game at a real table yet.")
            rows = by_evening(view.games)
            return _table(rows, part, width, room) or [Content.styled(none, "$muted")]
    return _plots(view, width, room)


def _games(view: HistoryView, width: int, room: int) -> list[Content]:
    """A row for each game, at most `room`, the chosen game among them."""
    first = max(0, min(view.chosen - room // 2, len(view.games) - room))
    rows = []
    for at, one in list(enumerate(view.games))[first : first + room]:
        here = at == view.chosen
        line = _line(one, width - 3)
        style = "bold $key-ink on $key" if here else "" if one.over and not one.virtual else "$muted"
        mark = Content.styled("► " if here else "  ", "bold $accent")
        rows.append(Content.assemble(mark, (line, style)).stylize(f"@click=screen.choose({at})"))
    return rows


def _line(one: GameRecord, width: int) -> str:
    """A game as a row: time, game, result, and the players' names if they fit."""
    day = time.strftime("%m-%d %H:%M", time.localtime(one.began))
    end = one.end[:1].upper() + one.end[1:] if one.over else tr("not ended")
    if one.virtual:
        where = localized(term("table", "virtual"))
        end = f"{end}, {where}"
    head = f"{day}  {title(one.game):<18}  {end:<16}"
    if len(head.rstrip()) > width:
        head = f"{day}  {title(one.game)}  {end}"
    who = ", ".join(filter(None, one.people[: one.players]))
    return f"{head}  {who}".rstrip() if len(head) + 2 + len(who) <= width else fit(head.rstrip(), width)


def _table(rows: Sequence[Row], part: Part, width: int, room: int) -> list[Content]:
    """A table of statistics with headings; numbers to the right."""
    if not rows:
        return []
    columns = _COLUMNS[part]
    heads = [localized(words) for words in columns.values()]
    cells = [["" if row[name] is None else str(row[name]) for name in columns] for row in rows[: room - 1]]
    widths = [max(len(head), *(len(line[at]) for line in cells)) for at, head in enumerate(heads)]
    numbers = [not isinstance(rows[0][name], str) for name in columns]

    def line(values: Sequence[str]) -> str:
        padded = (
            value.rjust(wide) if number else value.ljust(wide)
            for value, wide, number in zip(values, widths, numbers, strict=True)
        )
        return fit("  ".join(padded).rstrip(), width)

    return [Content.styled(line(heads), "$muted"), *(Content(line(values)) for values in cells)]


def _plots(view: HistoryView, width: int, room: int) -> list[Content]:
    """Plot of the scores of games like the chosen one.

    If there is room, minutes of each evening beside it.
    """
    chosen = view.games[view.chosen]
    alike = [one for one in view.games if (one.game, one.variant) == (chosen.game, chosen.variant)]
    both = width >= WIDE - 4
    columns, rows = (width - 2) // 2 if both else width, max(8, room)
    try:
        drawn = plots(alike, columns, rows, colours=False)[:1]
        drawn += plots(view.games, columns, rows, colours=False)[-1:] if both else []
    except BadInputError as error:
        return [Content.styled(f"  {fit(error.told, width - 2)}", "$muted")]
    if not drawn:
        return [Content.styled(f"  {fit(tr('No game at a real table yet.'), width - 2)}", "$muted")]
    split = [one.splitlines() for one in drawn]
    wide = max((len(line) for one in split for line in one), default=0)
    tall = max(map(len, split), default=0)
    lines = ["  ".join(f"{one[at] if at < len(one) else '':<{wide}}" for one in split) for at in range(tall)]
    return [Content.styled(f"  {line}", "$accent") for line in lines]


class HistoryScreen(Passing[Path | None]):
    """Screen with the history.

    Its result is the journal to watch, or None if people just leave.
    """

    DEFAULT_CSS = """
    HistoryScreen #page { width: 100%; height: 100%; }
    """
    AUTO_FOCUS = ""

    def __init__(self, opened: Callable[[], History] = History) -> None:
        """`opened`: opens the database of the history."""
        super().__init__()
        self.view = HistoryView()
        self.body = Panel("page")
        self._opened = opened

    def compose(self) -> ComposeResult:
        """Lay out the screen: one page of text."""
        yield self.body

    def on_mount(self) -> None:
        """Show games already known, and begin to read new journals."""
        self.run_worker(self._read, thread=True)
        self.paint()

    def on_resize(self) -> None:
        """Draw again in the terminal's new size."""
        self.paint()

    def _read(self) -> None:
        with self._opened() as history:
            self.app.call_from_thread(self.take, history.games(), True)
            history.update()
            self.app.call_from_thread(self.take, history.games(), False)

    def take(self, games: Sequence[GameRecord], reading: bool) -> None:
        """Show these games; the chosen one stays chosen.

        `reading`: journals are still being read.
        """
        before = self.view.journal
        self.view.games, self.view.reading = games, reading
        self.view.chosen = next((at for at, one in enumerate(games) if Path(one.journal) == before), 0)
        self.paint()

    def paint(self) -> None:
        """Draw what is to be shown now."""
        self.body.show(history_page(self.view, *self.app.size))

    def on_key(self, event: Key) -> None:
        """Choose games and parts by the arrow keys, watch a game by Enter, leave by any other key."""
        event.stop()
        event.prevent_default()
        moves = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        turns = {"left": -1, "right": 1, "shift+tab": -1, "tab": 1}
        if event.key == "enter":
            if self.view.journal is not None:
                self.leave(self.view.journal)
            return
        if event.key in moves:
            self.view.move(moves[event.key])
        elif event.key in turns:
            self.view.turn(turns[event.key])
        else:
            self.leave(None)
            return
        self.paint()

    def action_show(self, part: int) -> None:
        """A part was clicked: show it."""
        self.view.part = Part(part)
        self.paint()

    def action_choose(self, game: int) -> None:
        """A game was clicked: choose it, or watch it if it is chosen."""
        if game == self.view.chosen and self.view.journal is not None:
            self.leave(self.view.journal)
            return
        self.view.chosen = game
        self.paint()
