"""Summary of an evening: how often each person won, and the points of games played together."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion.core.language import listed, tr
from companion.dashboard.labels import title
from companion.history.database import GameRecord, at_real_tables, evenings, last_games
from companion.history.statistics import by_person

LONG = 30
"""So many games of an evening are counted at most. A guess."""


def last_evening(games: Sequence[GameRecord]) -> list[GameRecord]:
    """Games of the newest evening at a real table, in the order of play.

    Empty without one.
    """
    found = evenings(at_real_tables(games))
    return found[0] if found else []


def evening_lines(games: Sequence[GameRecord]) -> list[str]:
    """An evening's games summed up in a few lines: who won how often, points together.

    Unfinished games do not count.
    """
    over = [_named(one) for one in games if one.over]
    lines = [
        tr("{name}: {won} of {games} won", name=row["player"], won=row["won"], games=row["contests"])
        for row in sorted(by_person(over), key=lambda row: -row["won"])
        if row["contests"]
    ]
    together = [one for one in over if not one.winners and one.score is not None and one.out_of]
    for name, out_of in dict.fromkeys((one.game, one.out_of) for one in together):
        points = [str(one.score) for one in together if (one.game, one.out_of) == (name, out_of)]
        lines.append(tr("{game}: {points} of {most}", game=title(name), points=listed(points), most=out_of))
    return lines


def _named(game: GameRecord) -> GameRecord:
    """Copy of a game whose players are called by number, if none has a name."""
    if any(game.people):
        return game
    numbers = range(1, game.players + 1)
    return msgspec.structs.replace(game, people=tuple(tr("Player {number}", number=one) for one in numbers))


def this_evening(journals: Path | None = None) -> list[str]:
    """Summary of the newest evening.

    Empty unless two of its games ended. It reads journals, so call it in a thread.
    """
    games = last_evening(last_games(LONG, journals))
    return evening_lines(games) if sum(one.over for one in games) > 1 else []
