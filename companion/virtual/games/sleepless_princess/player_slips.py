"""Slips of people: cards put back, tidied up, swept or refilled late, two actions at once.

Works on the reports of a whole game: reorders and adds, and never changes the final truth.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random

from companion.games.sleepless_princess.rules.actions import (
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Move,
    Open,
    Play,
    Skip,
    Take,
)
from companion.sensing.observation import Count, Reach, Sighting
from companion.sensing.observation import Touch as TouchSeen
from companion.virtual.rehearsal_api import Batch, Doing

LATEST_SWEEP = 3
"""LATEST_SWEEP: most cards that a player draws before sweeping played cards that were forgotten. A guess."""
_BESIDES = (Take, Deck, Open, Done)
"""Types of actions during which the next action may already begin."""


def with_player_slips(doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
    """Add people's slips to a game's actions.

    `rate`: probability (0 to 1) of each kind. Slips are cards put back, tidied up, swept or refilled late, and
    two actions at once.
    """
    if not rate:
        return list(doings)
    told = list(refilled_late(_swept_late(doings, rate, chance), rate, chance))
    return list(at_once(list(_fumbled(told, rate, chance)), rate, chance))


def _swept_late(doings: Sequence[Doing], rate: float, chance: Random) -> Iterator[Doing]:
    """Sweep some played cards only after their player has drawn cards: a slip.

    `rate`: probability (0 to 1) each time. Returns the actions in their new order.
    """
    late: Doing | None = None
    left = 0
    for doing in doings:
        if late is not None and (left == 0 or not isinstance(doing.action, Take | Deck)):
            yield late
            late = None
        left -= 1
        if isinstance(doing.action, Done) and chance.random() < rate:
            late, left = doing, chance.randint(1, LATEST_SWEEP)
        else:
            yield doing
    if late is not None:
        yield late


def refilled_late(doings: Iterable[Doing], rate: float, chance: Random) -> Iterator[Doing]:
    """Fill the open row sometimes only after the next player's play: a slip.

    `rate`: probability (0 to 1) each time. Returns the actions in their new order.
    """
    late: list[Doing] = []
    forgotten = False
    for doing in doings:
        if isinstance(doing.action, Open):
            forgotten = forgotten or (not late and chance.random() < rate)
            if forgotten:
                late.append(doing)
                continue
        elif late:
            if isinstance(doing.action, Play):
                yield doing
                yield from late
                late, forgotten = [], False
                continue
            yield from late
            late = []
        forgotten = False
        yield doing
    yield from late


def swept_by_next(doings: Iterable[Doing], rate: float, chance: Random) -> tuple[list[Doing], int]:
    """Sweep some played cards only when the next turn or final check begins: a slip.

    Returns (actions, number of slips). `rate`: probability (0 to 1) each time.
    """
    told: list[Doing] = []
    left: Doing | None = None
    happened = 0
    for doing in doings:
        if left is not None and isinstance(doing.action, Play | Discard | Skip | Final):
            told.append(left)
            left = None
        if isinstance(doing.action, Done) and rate and chance.random() < rate:
            left = doing
            happened += 1
        else:
            told.append(doing)
    if left is not None:
        told.append(left)
    return told, happened


def _fumbled(doings: Sequence[Doing], rate: float, chance: Random) -> Iterator[Doing]:
    """Add slips in which cards are handled and left as they were.

    They are taken and put back, laid and taken up again, or straightened. `rate`: probability (0 to 1) each
    time.
    """
    zones: dict[str, Sighting] = {}
    counts: dict[str, Count] = {}
    for doing in doings:
        slip: list[Batch] = []
        first = doing.batches[0][0] if doing.batches else None
        match doing.action, first:
            case Take(), Sighting(_, "row") if chance.random() < rate:
                slip = [(first,), (zones["row"],)]
            case Move(), Count(_, station, _) if chance.random() < rate:
                slip = [(first,), (counts[station],)]
            case Play() | Discard(), Sighting(t, zone, cards) if chance.random() < rate and len(cards) > 1:
                slip = [(Sighting(t, zone, cards[:2]),), (Sighting(t, zone, ()),)]
            case Take() | Done(), _ if zones.get("row") and chance.random() < rate:
                slip = [(Sighting(0.0, "row", ()),), (zones["row"],)]
            case Take() | Done(), _ if counts and chance.random() < rate:
                station = chance.choice(sorted(counts))
                on_it = counts[station]
                slip = [(Count(0.0, station, 0, 0.0),), (on_it,)]
        if slip:
            yield Doing(None, slip)
        for batch in doing.batches:
            for seen in batch:
                if isinstance(seen, Sighting):
                    zones[seen.zone] = seen
                elif isinstance(seen, Count):
                    counts[seen.station] = seen
        yield doing


def at_once(doings: Iterable[Doing], rate: float, chance: Random) -> Iterator[Doing]:
    """Let neighbouring actions at different places sometimes overlap: a slip.

    `rate`: probability (0 to 1) each time. The end of the second action comes last.
    """
    waiting: Doing | None = None
    for doing in doings:
        if waiting is None:
            waiting = doing
        elif (
            isinstance(waiting.action, _BESIDES)
            and doing.action is not None
            and not isinstance(doing.action, Claim | Final)
            and not _places(waiting) & _places(doing)
            and chance.random() < rate
        ):
            yield Doing(None, doing.batches[:-1])
            yield waiting
            waiting = replace(doing, batches=doing.batches[-1:])
        else:
            yield waiting
            waiting = doing
    if waiting is not None:
        yield waiting


def _places(doing: Doing) -> set[str]:
    places = set()
    for batch in doing.batches:
        for seen in batch:
            if isinstance(seen, Sighting | Reach):
                places.add(seen.zone)
            elif isinstance(seen, Count | TouchSeen):
                places.add(seen.station)
    return places
