"""The scan: which choice is lit, when the next one is, and what a press of the switch takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil, isqrt

from companion.core.language import text

BOUNCE_S = 0.3
"""BOUNCE_S: time (s) after a press of the switch in which another press is ignored as a bounce. A guess."""
UNAWARE_S = 0.5
"""UNAWARE_S: time (s) after new choices have appeared in which a press is ignored. The person meant the
choices before. A guess."""
LONGEST_ROW = 8
"""LONGEST_ROW: most choices that light up one by one. Of more, whole rows light up first, then choices of a
row."""
ROUNDS = 3
"""ROUNDS: rounds through all choices without a press, before the scan goes a step back.

A step back leaves a row or an opened menu; in the first menu, the scan rests instead.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """Choice (`words`) for a person with one switch key.

    It calls `act`, or opens a menu of further choices (`inside`). `act` and `stays` do not count when choices
    are compared.
    """

    words: str
    act: Callable[[], object] | None = field(default=None, compare=False)
    inside: "tuple[Choice, ...]" = ()
    stays: bool = field(default=False, compare=False)
    """True if the menu stays open after this choice was taken, as for letters of a name."""


BACK, OTHER_ROWS = Choice(text("back")), Choice(text("other rows"))
"""BACK: choice that closes an opened menu. OTHER_ROWS: choice that leaves a row, so that rows light up
again."""


class Scanner:
    """Scan of choices for a person with one switch key.

    It lights choices, or rows of choices, one after another; a press takes the lit one. `pace_s`: time (s) for
    which each is lit. `start_s`: additional time (s) for the first one. `clock` returns seconds.
    """

    def __init__(self, clock: Callable[[], float], pace_s: float, start_s: float) -> None:
        self.pace_s, self.start_s = pace_s, start_s
        self._clock = clock
        self._top: tuple[Choice, ...] = ()
        self._path: list[int] = []
        """Path of opened menus: index of the opened choice in each of them."""
        self._row: int | None = None
        """Number of the row whose choices are lit one by one; None while whole rows are lit."""
        self._lit = 0
        self._since = self._changed = clock()
        self._pressed = float("-inf")
        self._rounds = 0
        self.resting = False
        """True if nothing is lit until the switch is pressed."""

    def offer(self, choices: Sequence[Choice]) -> bool:
        """Replace the choices that light up one after another.

        Returns True if they differ from those before. Different choices begin a new scan, unless a menu is
        open whose own choices have stayed the same.
        """
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
        """Choices of the scan, in rows as they are shown.

        If one row was taken, its choices light up one by one, and OTHER_ROWS is its last one.
        """
        rows = self._all_rows()
        if self._row is not None:
            rows[self._row] = (*rows[self._row], OTHER_ROWS)
        return rows

    @property
    def lit(self) -> tuple[int, int | None] | None:
        """Choice or row that is lit: (row, index of the choice in it), from 0.

        Index None: the whole row is lit. None instead of both: nothing is lit.
        """
        if self.resting or not self._top:
            return None
        if self._row is not None:
            return self._row, self._lit
        return (0, self._lit) if len(self._all_rows()) == 1 else (self._lit, None)

    def tick(self) -> bool:
        """Light the next choice or row, if the lit one's time is over.

        Returns True if the lit one has changed. After ROUNDS rounds without a press, the scan goes a step back
        or rests.
        """
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
        """Take the lit choice or row: the switch was pressed.

        Returns the taken choice, whose `act` the caller must call. None if there is no `act` to call: a
        bounce, a press too soon after new choices, a row, or an opened or closed menu. A press while the scan
        rests begins it anew.
        """
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
        """Choices of the menu that is open; BACK is the last, except in the first menu."""
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
        """Number of choices, or of rows, that light up in one round of the scan."""
        rows = self.rows
        if self._row is not None:
            return len(rows[self._row])
        return len(rows) if len(rows) > 1 else len(rows[0])

    def _step_back(self) -> None:
        """Let the scan leave the row, else the opened menu; in the first menu, rest."""
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
