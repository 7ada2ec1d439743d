"""The scan: which choice is lit, when the next one is, and what a press of the switch takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, isqrt

from companion.core.language import text

BOUNCE_S = 0.3
"""BOUNCE_S: a press so soon (s) after the last one is a bounce of the same press. A guess."""
UNAWARE_S = 0.5
"""UNAWARE_S: a press so soon (s) after other choices came was meant for those before. A guess."""
LONGEST_ROW = 8
"""LONGEST_ROW: more choices than these are scanned in rows first."""
ROUNDS = 3
"""ROUNDS: times that the choices light up before the scan goes a step back, or rests."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be chosen: its words, and what it does or the choices that it opens."""

    words: str
    act: Callable[[], object] | None = field(default=None, compare=False)
    inside: "tuple[Choice, ...]" = ()
    stays: bool = field(default=False, compare=False)
    """Whether the choices beside this one stay open after it was taken."""


BACK, OTHER_ROWS = Choice(text("back")), Choice(text("other rows"))
"""BACK: from opened choices to those before. OTHER_ROWS: from the choices of a row to all rows."""


class Scanner:
    """Lights one choice, or one row of choices, after another.

    `pace_s`: time for which each is lit (s). `start_s`: so much longer for the first one (s). `clock` gives
    seconds.
    """

    def __init__(self, clock: Callable[[], float], pace_s: float, start_s: float) -> None:
        self.pace_s, self.start_s = pace_s, start_s
        self._clock = clock
        self._top: tuple[Choice, ...] = ()
        self._path: list[int] = []
        """Places of the choices that were opened, each within the one before."""
        self._row: int | None = None
        """The row whose choices light up; None while whole rows do."""
        self._lit = 0
        self._since = self._changed = clock()
        self._pressed = float("-inf")
        self._rounds = 0
        self.resting = False
        """Whether nothing is lit until the switch is pressed."""

    def offer(self, choices: Sequence[Choice]) -> bool:
        """Scan these choices from now on. True if they are others than before: then it begins anew, but for
        choices within another one that are still the same."""
        before, opened = self._top, self._menu()
        self._top = tuple(choices)
        if self._top == before:
            return False
        if self._path and self._path[0] < len(self._top) and self._menu() == opened:
            return True
        self._changed = self._clock()
        self._begin_at_top()
        return True

    @property
    def rows(self) -> list[tuple[Choice, ...]]:
        """What is to be seen: the choices in rows; the row that was taken ends with a way back."""
        rows = self._all_rows()
        if self._row is not None:
            rows[self._row] = (*rows[self._row], OTHER_ROWS)
        return rows

    @property
    def lit(self) -> tuple[int, int | None] | None:
        """The lit row, and the place of the lit choice in it (None: the whole row). None: nothing is lit."""
        if self.resting or not self._top:
            return None
        if self._row is not None:
            return self._row, self._lit
        return (0, self._lit) if len(self._all_rows()) == 1 else (self._lit, None)

    def tick(self) -> bool:
        """Light the next one when it is time. True if something else is lit now."""
        if self.resting or not self._top:
            return False
        lasts_s = self.pace_s + (self.start_s if self._lit == self._rounds == 0 else 0.0)
        passed_s = self._clock() - self._since
        if passed_s < lasts_s:
            return False
        # A slow machine does not make the scan slower, nor make up for choices that it has not shown.
        self._since = self._since + lasts_s if passed_s < 2 * lasts_s else self._clock()
        self._lit += 1
        if self._lit == self._steps():
            self._lit, self._rounds = 0, self._rounds + 1
            if self._rounds == ROUNDS:
                self._step_back()
        return True

    def press(self) -> Choice | None:
        """The switch was pressed. The choice that was taken, if its act is to be done now."""
        now = self._clock()
        bounced, self._pressed = now - self._pressed < BOUNCE_S, now
        if bounced or not self._top or now - self._changed < UNAWARE_S:
            return None
        lit = self.lit
        if lit is None:
            self._begin_at_top()
            return None
        row, place = lit
        if place is None:
            self._row = row
            self._begin()
            return None
        taken = self.rows[row][place]
        if taken is OTHER_ROWS:
            self._step_back()
        elif taken is BACK:
            self._row = None
            self._step_back()
        elif taken.inside:
            self._path.append(self._menu().index(taken))
            self._row = None
            self._begin()
        elif taken.stays:
            self._row = None
            self._begin()
        else:
            self._begin_at_top()
        return taken if taken.act is not None else None

    def _menu(self) -> tuple[Choice, ...]:
        """The choices that are open now, with a way back from those within another one."""
        menu = self._top
        for place in self._path:
            menu = (*menu[place].inside, BACK)
        return menu

    def _all_rows(self) -> list[tuple[Choice, ...]]:
        menu = self._menu()
        if len(menu) <= LONGEST_ROW:
            return [menu]
        # About as many rows as choices in each: the way to a choice is shortest then.
        most = ceil(len(menu) / isqrt(len(menu)))
        return [menu[at : at + most] for at in range(0, len(menu), most)]

    def _steps(self) -> int:
        """How many light up one after another."""
        rows = self.rows
        if self._row is not None:
            return len(rows[self._row])
        return len(rows) if len(rows) > 1 else len(rows[0])

    def _step_back(self) -> None:
        """From a row to all rows, from opened choices to those before, from the first ones to rest."""
        rests = self._row is None and not self._path
        if self._row is not None:
            self._row = None
        elif self._path:
            self._path.pop()
        self._begin()
        self.resting = rests

    def _begin_at_top(self) -> None:
        self._path, self._row = [], None
        self._begin()

    def _begin(self) -> None:
        self._lit, self._rounds, self._since, self.resting = 0, 0, self._clock(), False
