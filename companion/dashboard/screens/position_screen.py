"""The dialog that takes over the table: what lies there, what only players know, and whose turn begins."""

import textwrap
from collections.abc import Sequence
from functools import partial
from string import ascii_lowercase

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.widgets import Static

from companion.core.language import localized, tr
from companion.dashboard.labels import BADGES, with_colon
from companion.dashboard.one_switch.scanner import Choice
from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screens.close_once import PassingModal
from companion.session.stream.commands import EndGame, TableIsRight
from companion.session.stream.events import PlaceView, Position, RowView, StatementView

WIDTH = 74
"""WIDTH: columns of text in the dialog, which then fits on a screen of 80 columns."""
LETTERS = ascii_lowercase.replace("f", "")
"""LETTERS: keys with which a person confirms statements of players; without f, which ends the game."""
MOST_LINES = 4
"""MOST_LINES: most lines in the dialog on cards that lie elsewhere than expected.

With five players the dialog then fills 24 rows.
"""


class PositionScreen(PassingModal[TableIsRight | EndGame | None]):
    """Dialog that takes the cards on the table as the true position.

    It shows the cards that the sensors see, and asks whose turn begins. Its result is the command for the
    engine, or None if any other key cancels it. `players`: number of players. `names`: their names.
    """

    DEFAULT_CSS = """
    PositionScreen { align: center middle; background: transparent; }
    PositionScreen Static {
        width: auto; height: auto; max-width: 80; padding: 0 2;
        background: $strip; border: heavy $accent;
    }
    """

    def __init__(self, names: PlayerNames, players: int) -> None:
        super().__init__()
        self.names = names
        self.players = players
        self.position: Position | None = None
        self.marked: set[str] = set()
        """Letters of the statements that players have confirmed."""
        self.body = Static()

    def compose(self) -> ComposeResult:
        """Yield the text of the dialog."""
        yield self.body

    def on_mount(self) -> None:
        """Show the dialog's question at once; `take` adds the cards later."""
        self.paint()

    def take(self, position: Position) -> None:
        """Add the cards on the table to the dialog, as the engine reports them."""
        self.position = position
        self.paint()

    def paint(self) -> None:
        """Write the dialog's text: cards, statements, whose turn begins.

        People confirm the statements.
        """
        rows = [Content.styled(tr("THE TABLE AS IT LIES NOW"), "bold"), *self._found(), Content("")]
        for letter, one in self._tellable():
            mark = "x" if letter in self.marked else " "
            rows.append(_choice(letter, f"[{mark}] {self.names.put_into(one.text)}"))
        rows += [Content.styled(tr("Whose turn begins now?"), "bold")]
        players = [_choice(str(player), self.names.name(player)) for player in range(1, self.players + 1)]
        rows += [Content("   ").join(players), _choice(tr("enter"), self._as_it_is())]
        rows += [_choice("f", tr("the game is over: count it here")), Content("")]
        rows.append(Content.styled(tr("any other key: nothing happens"), "$muted"))
        self.body.update(Content("\n").join(rows))

    def _found(self) -> list[Content]:
        found = self.position
        if found is None:
            return [Content(tr("Looking..."))]
        if found.problem:
            return [Content(line) for line in _wrapped([self.names.put_into(found.problem)])]
        lines = [*_wrapped(list(map(_row, found.rows))), *_side_by_side(list(map(self._place, found.places)))]
        off = _wrapped(list(map(self.names.put_into, found.lines)))[:MOST_LINES]
        return [*map(Content, lines), *(Content.styled(line, "bold $warn") for line in off)]

    def _place(self, place: PlaceView) -> str:
        """Place of the table in words: player, name, cards, state.

        Parts that are unknown are left out.
        """
        words = [
            with_colon(self.names.name(place.player)) if place.player else "",
            place.name,
            "" if place.count is None else str(place.count),
            localized(BADGES.get(place.badge, "")).lower(),
        ]
        return " ".join(word for word in words if word)

    def _tellable(self) -> Sequence[tuple[str, StatementView]]:
        found = self.position
        return [] if found is None else list(zip(LETTERS, (*found.unseen, *found.judged), strict=False))

    def _marked(self, among: Sequence[StatementView]) -> tuple[int, ...]:
        """Sorted ids of players' confirmed statements in `among`."""
        return tuple(
            sorted(int(one.id) for letter, one in self._tellable() if letter in self.marked and one in among)
        )

    def _right(self, player: int) -> TableIsRight:
        found = self.position
        if found is None:
            return TableIsRight(player)
        return TableIsRight(player, self._marked(found.unseen), self._marked(found.judged))

    def _as_it_is(self) -> str:
        if self.position is None or not self.position.player:
            return tr("go on as it is")
        who = self.names.name(self.position.player)
        if within := self.position.within:
            return tr(
                "go on: still the turn of {turn}, {who} has to act", turn=self.names.name(within), who=who
            )
        return tr("{who} goes on", who=who)

    def choices_now(self) -> list[Choice]:
        """Choices for a person with one switch key: those of the dialog's keys.

        Go on, each player, each statement, the game's end, cancel.
        """
        marks = [
            Choice(
                f"[{'x' if letter in self.marked else ' '}] {self.names.put_into(one.text)}",
                partial(self._mark, letter),
            )
            for letter, one in self._tellable()
        ]
        players = [
            Choice(tr("{who} begins a turn.", who=self.names.name(player)), partial(self._answer, player))
            for player in range(1, self.players + 1)
        ]
        return [
            Choice(self._as_it_is(), partial(self._answer, 0)),
            *players,
            *marks,
            Choice(tr("the game is over: count it here"), lambda: self.leave(EndGame())),
            Choice(tr("nothing happens"), lambda: self.leave(None)),
        ]

    def _mark(self, letter: str) -> None:
        self.marked ^= {letter}
        self.paint()

    def _answer(self, player: int) -> None:
        self.leave(self._right(player))

    def on_key(self, event: Key) -> None:
        """Answer the dialog by a key.

        A letter marks a statement as right, or no longer. Enter: the game goes on; a player's number: that
        player's turn begins; f: the game ends; any other key cancels.
        """
        event.stop()
        event.prevent_default()
        if event.key in dict(self._tellable()):
            self._mark(event.key)
        elif event.key == "enter":
            self._answer(0)
        elif event.key == "f":
            self.leave(EndGame())
        elif event.key.isdecimal() and 1 <= int(event.key) <= self.players:
            self._answer(int(event.key))
        else:
            self.leave(None)


def _choice(key: str, text: str) -> Content:
    return Content.assemble((f" {key} ", "bold $key-ink on $key"), f" {text}")


def _row(row: RowView) -> str:
    cards = ", ".join(card.name or card.kind for card in row.cards) or tr("no card")
    return f"{with_colon(row.name)} {cards}"


def _side_by_side(parts: Sequence[str]) -> list[str]:
    """Texts joined by " · " to as few lines of at most WIDTH letters as possible.

    No text is broken.
    """
    lines = [""]
    for part in parts:
        longer = f"{lines[-1]} · {part}" if lines[-1] else part
        if len(longer) > WIDTH:
            lines.append(part)
        else:
            lines[-1] = longer
    return lines


def _wrapped(lines: Sequence[str]) -> list[str]:
    """Lines of text, each wrapped between words to WIDTH columns."""
    return [part for line in lines for part in textwrap.wrap(line, WIDTH)]
