"""Statistics of the history: rows for games, persons or evenings.

Games at a virtual table are not counted, but `each` lists them.
"""

import time
from collections.abc import Callable, Collection, Sequence
from statistics import fmean
from typing import Any

from companion.history.database import GameRecord, at_real_tables, evenings

Row = dict[str, Any]
"""Column -> value; None if there was nothing to count."""


def by_game(games: Sequence[GameRecord]) -> list[Row]:
    """A row for each game and variant, those played most first."""
    games = at_real_tables(games)
    kinds = sorted({_kind(one) for one in games})
    rows = [
        {"game": kind[0], "variant": kind[1], **_summed([one for one in games if _kind(one) == kind])}
        for kind in kinds
    ]
    return sorted(rows, key=lambda row: -row["games"])


def by_person(games: Sequence[GameRecord]) -> list[Row]:
    """A row for each named person, most games first.

    Upper and lower case make no difference in a name.
    """
    games = at_real_tables(games)
    rows = [_row_of(name, games) for name in _people(games)]
    return sorted(rows, key=lambda row: (-row["games"], row["player"]))


def _row_of(name: str, games: Sequence[GameRecord]) -> Row:
    """The row of one person, whose name may be written in upper or lower case."""
    key = name.casefold()
    seats = [
        (one, player)
        for one in games
        for player in range(1, one.players + 1)
        if one.person(player).casefold() == key
    ]
    contests = [(one, player) for one, player in seats if one.over and one.winners]
    return {
        "player": name,
        "games": len(seats),
        "won": sum(player in one.winners for one, player in contests),
        "contests": len(contests),
        "together_percent": _together_percent([one for one, _ in seats]),
        "turn_s": _seconds_a_turn(seats),
    }


def _together_percent(games: Sequence[GameRecord]) -> float | None:
    """Mean score in percent of the highest, over games that are won or lost together. None without any."""
    together = [one for one in games if one.score is not None and not one.winners and one.out_of]
    return _mean(100 * (one.score or 0) / (one.out_of or 1) for one in together)


def _seconds_a_turn(seats: Sequence[tuple[GameRecord, int]]) -> float | None:
    """Mean time (s) of a turn, over (game, player) pairs. None without a turn."""
    turns = [one.turn_s[player] for one, player in seats if player in one.turn_s]
    count = sum(number for number, _ in turns)
    return round(sum(total for _, total in turns) / count, 1) if count else None


def by_evening(games: Sequence[GameRecord]) -> list[Row]:
    """A row for each evening, newest first."""
    return [
        {
            "evening": time.strftime("%Y-%m-%d", time.localtime(evening[0].began)),
            "people": ", ".join(sorted(_people(evening))),
            **_summed(evening),
        }
        for evening in evenings(at_real_tables(games))
    ]


def each(games: Sequence[GameRecord]) -> list[Row]:
    """A row for each game, newest first."""
    return [
        {
            "began": time.strftime("%Y-%m-%d %H:%M", time.localtime(one.began)),
            "game": one.game,
            "variant": one.variant,
            "players": ", ".join(one.person(player) for player in range(1, one.players + 1)),
            "minutes": round(one.lasted_s / 60, 1),
            "turns": one.turns,
            "score": one.score,
            "out_of": one.out_of,
            "won": ", ".join(one.person(player) for player in one.winners),
            "proved": one.proved,
            "refuted": one.refuted,
            "open": one.open,
            "table": "virtual" if one.virtual else "",
            "journal": one.journal,
        }
        for one in games
    ]


TABLES: dict[str, Callable[[Sequence[GameRecord]], list[Row]]] = {
    "each": each,
    "game": by_game,
    "player": by_person,
    "evening": by_evening,
}
"""Name of a table of statistics -> function that makes its rows."""


def _people(games: Sequence[GameRecord]) -> Collection[str]:
    """Names of all who played these games, each once."""
    shown: dict[str, str] = {}
    for name in (name for one in games for name in one.people[: one.players] if name):
        shown.setdefault(name.casefold(), name)
    return shown.values()


def _kind(one: GameRecord) -> tuple[str, str]:
    return one.game, one.variant


def _summed(games: Sequence[GameRecord]) -> Row:
    """Counts and means over games.

    Mean and best score only if all are of one game and variant.
    """
    over = [one for one in games if one.over]
    scores = [one.score for one in over if one.score is not None] if len(set(map(_kind, games))) == 1 else []
    return {
        "games": len(games),
        "ended": len(over),
        "score_mean": _mean(scores),
        "score_best": max(scores, default=None),
        "minutes_mean": _mean(one.lasted_s / 60 for one in over),
        "turns_mean": _mean(one.turns for one in over),
        "claims": sum(one.proved + one.refuted + one.open for one in games),
        "proved": sum(one.proved for one in games),
        "refuted": sum(one.refuted for one in games),
    }


def _mean(values: Any) -> float | None:
    numbers = list(values)
    return round(fmean(numbers), 1) if numbers else None
