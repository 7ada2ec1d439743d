"""A journal read back by what it says was published: fast up to its last minute, from there on in full."""

from collections import defaultdict
from collections.abc import Sequence
from math import inf
from typing import Any

from companion.core.errors import JournalError
from companion.fusion.tracker import Tracker
from companion.games.table_game import TableGame
from companion.session.journal.journal_fold import Fold
from companion.session.journal.journal_lines import Done, Line, Observed, Opened, Revoked

SEARCHED_S = 60.0
"""Time (s) before the last recorded action from which a journal is searched in full.

A guess: twice the longest time that a card stays in a hand.
"""
CALM_S = 30.0
"""Time (s) without a revoked action before the searches in full begin. A guess.

After a revoked action several hypotheses are near each other. A single one would miss the next revision.
"""


class FollowedLines:
    """The steps that a journal published, and how far its reading is bound to them.

    `tracker` is bound to them. `lines`: the journal after its first line. `deal`: True: search in full until
    the hidden cards are dealt; which cards may be taken for each other is decided there. A journal whose
    actions the rules refuse is searched in full.
    """

    def __init__(
        self,
        game: TableGame[Any, Any],
        opened: Opened,
        lines: Sequence[Line],
        tracker: Tracker[Any, Any],
        *,
        deal: bool = False,
    ) -> None:
        self._tracker = tracker
        self._begins = not deal
        """True once searches may follow the journal."""
        self._published: dict[int, list[tuple[Any, Any]]] = defaultdict(list)
        """Index of a line with observations -> the steps that were published with them."""
        self._states: dict[int, Any] = {}
        """Index of a line with observations -> the recorded state before them."""
        self._searched_from = -inf
        """Time (s) from which all is searched."""
        fold = Fold(game, game.empty_table(opened.variant, opened.players, opened.options))
        batch, revoked = 0, -inf
        times: list[float] = []
        firm: list[tuple[float, int]] = []
        """(time in s, steps that stand then) of each line with observations, as far as they still stand."""
        for index, line in enumerate(lines):
            before = fold.state
            try:
                fold.take(line)
            except JournalError:
                return
            match line:
                case Observed():
                    batch, self._states[index] = index, before
                    if line.t - revoked >= CALM_S:
                        firm.append((line.t, fold.actions))
                case Done(t, action):
                    self._published[batch].append((before, game.read_action(action)))
                    times.append(t)
                case Revoked(revoked, n):
                    del times[-n:]
                    while firm and firm[-1][1] > fold.actions:
                        firm.pop()
        searched = times[-1] - SEARCHED_S if times else -inf
        self._searched_from = next((t for t, _ in reversed(firm) if t <= searched), -inf)

    def follow(self, index: int, t: float) -> bool:
        """Prepare to take the observations of a line at `t` (s); True if searches follow the journal.

        `index`: of the line. Searches are free from SEARCHED_S before the last action. They begin and cease to
        follow where the tracker has come to the recorded state.
        """
        recorded = self._tracker.recorded
        if self._tracker.state == self._states.get(index):
            self._begins = self._begins or self._tracker.dealt_out()
            if t >= self._searched_from:
                recorded.leave()
            elif self._begins and not recorded.followed:
                steps = [step for steps in self._published.values() for step in steps]
                recorded.follow(steps, self._states.values())
        recorded.publish(self._published[index])
        return recorded.followed
