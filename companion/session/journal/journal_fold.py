"""A game's state, computed line by line from its journal."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.core.errors import JournalError
from companion.core.language import text
from companion.games.rules import IllegalError
from companion.games.table_game import TableGame
from companion.session.journal.journal_lines import Adopted, Done, Line, Opened, Revoked

UP_TO_THERE = text("companion souvenir shows the game up to there")


@dataclass(slots=True)
class Fold:
    """A game's state, computed line by line from its journal.

    `state`: the state after the lines so far. `before`: states before each action that is not revoked, oldest
    first. `actions`: number of these actions.
    """

    game: TableGame[Any, Any]
    state: Any
    before: list[Any] = field(default_factory=list)
    actions: int = 0

    def take(self, line: Line) -> None:
        """Apply one journal line to the state.

        JournalError if the rules do not allow it.
        """
        match line:
            case Done(_, action):
                try:
                    after = self.game.apply(self.state, self.game.read_action(action))
                except (IllegalError, ValueError) as error:
                    raise JournalError(
                        text(
                            "an impossible action was recorded: {action} ({error})",
                            action=repr(action),
                            error=str(error),
                        ),
                        next_step=UP_TO_THERE,
                    ) from None
                self.before.append(self.state)
                self.state = after
                self.actions += 1
            case Revoked(_, n):
                if not 0 < n <= len(self.before):
                    raise JournalError(
                        text(
                            "{n} actions taken back, only {before} were recorded", n=n, before=len(self.before)
                        ),
                        next_step=UP_TO_THERE,
                    )
                self.state = self.before[-n]
                del self.before[-n:]
                self.actions -= n
            case Adopted(_, state):
                try:
                    self.state = self.game.read_state(state)
                except ValueError as error:
                    raise JournalError(
                        text("not a state: {state} ({error})", state=repr(state[:60]), error=str(error)),
                        next_step=UP_TO_THERE,
                    ) from None
                if faults := self.game.status(self.state):
                    raise JournalError(
                        text("an impossible state was recorded ({faults})", faults=faults[0].text),
                        next_step=UP_TO_THERE,
                    )
                # `before` stays: an adoption may only correct hidden cards, so earlier actions can be revoked.


def fold_if_legal(game: TableGame[Any, Any], opened: Opened, lines: Sequence[Line]) -> Fold | None:
    """Compute a game's state from its journal lines; None if the rules refuse one, as in a revised history."""
    try:
        return fold(game, opened, lines)
    except JournalError:
        return None


def fold(game: TableGame[Any, Any], opened: Opened, lines: Sequence[Line]) -> Fold:
    """Compute a game's state from its journal lines; JournalError if the rules do not allow one."""
    result = Fold(game, game.empty_table(opened.variant, opened.players, opened.options))
    for line in lines:
        result.take(line)
    return result
