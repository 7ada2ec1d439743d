"""Journal lines of a change: what is revoked, each action, and states that hidden cards corrected."""

from collections.abc import Iterator
from typing import Any

from companion.fusion.publisher import Change
from companion.games.table_game import TableGame
from companion.session.journal.journal_lines import Adopted, Done, Line, Revoked


def change_lines(game: TableGame[Any, Any], t: float, change: Change[Any, Any], state: Any) -> Iterator[Line]:
    """Write a change at a time (s) as lines of the journal, in the order in which they are read back.

    `state`: the tracker's state after the change. A state that differs from what the actions lead to stands in
    a line of its own, because cards that turned up have corrected it.
    """
    if change.adopted is not None:
        yield Adopted(t, game.write_state(change.adopted))
    if change.revoked:
        yield Revoked(t, len(change.revoked))
    folded = change.revoked[-1].before if change.revoked else None
    for step in change.steps:
        if folded is not None and step.before != folded:
            yield Adopted(t, game.write_state(step.before))
        folded = step.after
        yield Done(t, game.write_action(step.action))
    if folded is not None and folded != state:
        yield Adopted(t, game.write_state(state))
