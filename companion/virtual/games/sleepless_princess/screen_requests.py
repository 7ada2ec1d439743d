"""What the companion's screen asks of those who play Sleepless Princess."""

from companion.games.sleepless_princess.wording import PLACES
from companion.session.events import Table
from companion.virtual.prompts import NOTHING, SETUP, Wanted

ROW = 5
"""Cards that lie open when a game begins."""


def wanted_by(table: Table | None, text: str) -> Wanted:
    """What a screen asks for that shows this table and this question or notice: to lay a tile flat for a
    moment, or to put open cards straight."""
    if table is None:
        return NOTHING
    if table.phase == SETUP:
        unseen = tuple(at for at, view in enumerate(table.places) if not view.name)
        return Wanted(unseen, ("row",) if sum(len(row.cards) for row in table.rows) < ROW else (), SETUP)
    return Wanted((), tuple(zone for zone, words in PLACES.items() if words in text), text)
