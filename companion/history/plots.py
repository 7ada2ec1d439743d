"""Terminal plots: score of each game, minutes of each evening."""

import time
from collections.abc import Sequence
from typing import Any

from companion.core.errors import BadInputError
from companion.core.language import tr
from companion.core.optional_packages import install_step
from companion.core.printable import printable
from companion.dashboard.labels import title, variant_title
from companion.history.database import GameRecord, at_real_tables, evenings

MOST = 60
"""So many newest games, and evenings, are drawn. A guess."""
BAR = 0.5
"""Width of a bar, as a share (0 to 1) of the distance between bars. A guess."""
ROOM = 8
"""A plot has room for at least so many bars, so that a single one does not fill it. A guess."""
WHOLE = 10
"""Up to this highest score every whole number is marked on the axis."""


def plots(games: Sequence[GameRecord], width: int, height: int, *, colours: bool = True) -> list[str]:
    """Plots of scores and minutes, each as text of `width` x `height` letters.

    Empty if no game at a real table has ended.

    BadInputError if the package plotext is not installed.
    """
    try:
        import plotext
    except ImportError:
        raise BadInputError(
            tr("plots need a package that is not installed (plotext)"),
            next_step=install_step("plotext"),
        ) from None
    found, games = [], at_real_tables(games)
    over = [one for one in sorted(games, key=lambda game: game.began) if one.score is not None][-MOST:]
    for kind in sorted({(one.game, one.variant) for one in over}):
        these = [one for one in over if (one.game, one.variant) == kind]
        _clear(plotext, width, height, colours=colours)
        _draw_scores(plotext, these, width)
        found.append(_built(plotext, colours=colours))
    nights = [one for one in evenings(games) if sum(game.lasted_s for game in one)][:MOST][::-1]
    if nights:
        _clear(plotext, width, height, colours=colours)
        minutes = [sum(game.lasted_s for game in one) / 60 for one in nights]
        plotext.bar([_day(one[0].began) for one in nights], minutes, width=BAR)
        plotext.xlim(0.5, max(ROOM, len(nights)) + 0.5)
        plotext.title(tr("Minutes of each evening"))
        found.append(_built(plotext, colours=colours))
    return found


def _draw_scores(plotext: Any, games: Sequence[GameRecord], width: int) -> None:
    """Draw the scores of games of one kind, oldest first, over `width` letters."""
    numbers = list(range(1, len(games) + 1))
    plotext.bar(numbers, [one.score for one in games], width=BAR)
    top = max(max(one.out_of or 0, one.score or 0) for one in games)
    plotext.xlim(0.5, max(ROOM, len(games)) + 0.5)
    plotext.ylim(0, top)
    if top <= WHOLE:
        plotext.yticks(list(range(top + 1)))
    plotext.xticks(*_ticks(numbers, [_day(one.began) for one in games], width))
    plotext.title(
        tr(
            "Score of each game: {game}, {variant}",
            game=title(printable(games[0].game)),
            variant=printable(variant_title(games[0].variant)),
        )
    )


def _clear(plotext: Any, width: int, height: int, *, colours: bool) -> None:
    plotext.clear_figure()
    plotext.theme("pro" if colours else "clear")
    plotext.limit_size(False, False)  # the screen sets the size, not this process's terminal
    plotext.plotsize(width, height)


def _built(plotext: Any, *, colours: bool) -> str:
    drawn = plotext.build()
    return str(drawn if colours else plotext.uncolorize(drawn))


def _day(began: float) -> str:
    return time.strftime("%m-%d", time.localtime(began))


def _ticks(numbers: list[int], days: list[str], width: int) -> tuple[list[int], list[str]]:
    """(numbers, days) to mark below the axis: as many as fit into `width` letters."""
    step = max(1, -(-len(numbers) * 9 // width))
    return numbers[::step], days[::step]
