"""Journals as no game writes them: time that leaps, floods of presses, places by the thousand."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from companion.sensing.observation import (
    Button,
    Count,
    Health,
    ManualEntry,
    Observation,
    Reach,
    Seen,
    Sighting,
    TagRead,
    Texture,
    Touch,
)
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Done, LaterLine, Observed, Opened, Revoked
from tests.support.observed import SensedGame

DAY_S = 86_400.0
Lines = Iterator[LaterLine]
Making = Callable[[Random, float, int], Lines]
"""(chance, time of the first line (s), how many of what it is full of) -> the lines after a game was begun."""


def _days(chance: Random, t: float, n: int) -> Lines:
    for _ in range(n):
        t += DAY_S * chance.choice((1.0, 1.0, 0.5, 40.0))
        yield Observed(t, (Count(t, "bed 1", chance.randrange(4), 1.0),))


def _claims(chance: Random, t: float, n: int) -> Lines:
    step = chance.choice((0.01, 0.3, 7.0, 31.0))
    for _ in range(n):
        t += step
        yield Observed(t, (Button(t, f"bed {chance.randint(1, 5)}"),))


def _claims_at_once(chance: Random, t: float, n: int) -> Lines:
    yield Observed(t, tuple(Button(t, f"bed {chance.randint(1, 5)}") for _ in range(n)))


def _touches(chance: Random, t: float, n: int) -> Lines:
    step = chance.choice((0.01, 0.3, 2.0))
    for number in range(n):
        t += step
        yield Observed(t, (Touch(t, f"bed {chance.randint(1, 5)}", number % 2 == 0),))


def _touches_at_once(chance: Random, t: float, n: int) -> Lines:
    yield Observed(t + 1, tuple(Touch(t + k / n, f"bed {chance.randint(1, 5)}", k % 2 == 0) for k in range(n)))


def _stations(chance: Random, t: float, n: int) -> Lines:
    makes: tuple[Callable[[float, str], Observation], ...] = (
        lambda t, name: Count(t, name, 2, 2.0),
        lambda t, name: Touch(t, name, pressed=True),
        Button,
        lambda t, name: TagRead(t, name, "M7S"),
        lambda t, name: Texture(t, name, "7s", 1.0),
    )
    make = chance.choice(makes)
    for first in range(0, n, 500):
        t += 1.0
        yield Observed(t, tuple(make(t, f"station {number}") for number in range(first, min(n, first + 500))))


def _zones(chance: Random, t: float, n: int) -> Lines:
    card = chance.choice(("A3A", "M7S", "?", "nonsense"))
    for number in range(n):
        t += 0.2
        yield Observed(t, (Sighting(t, f"zone {number}", (Seen(card, 1.0, 1.0),)), Reach(t, f"zone {number}")))


def _cards(chance: Random, t: float, n: int) -> Lines:
    zone = chance.choice(("row", "play", "bed 1"))
    for _ in range(20):
        t += 2.0
        yield Observed(t, (Sighting(t, zone, tuple(Seen(f"A{k % 10}{k}", k, 0.0) for k in range(n // 20))),))


def _cards_come_and_go(chance: Random, t: float, n: int) -> Lines:
    codes = ("A3A", "A4A", "A5A", "A6A", "A7A", "A8A")
    for _ in range(n):
        t += chance.choice((0.3, 1.0))
        lying = tuple(Seen(code, 1.0, 1.0) for code in chance.sample(codes, chance.randrange(6)))
        yield Observed(t, (Sighting(t, chance.choice(("row", "play", "discard")), lying),))


def _counts(chance: Random, t: float, n: int) -> Lines:
    for _ in range(n):
        t += chance.choice((0.1, 1.0))
        count = chance.randrange(-3, 60)
        yield Observed(t, (Count(t, f"bed {chance.randint(1, 5)}", count, float(count)),))


def _entries(chance: Random, t: float, n: int) -> Lines:
    what = chance.choice(("table_is_right", "undo", "claim", "pause", "nonsense", "resumed"))
    for number in range(n):
        t += 0.5
        given: dict[str, dict[str, Any]] = {"claim": {"station": "bed 1"}, "pause": {"paused": number % 2 == 0}}
        yield Observed(t, (ManualEntry(t, what, given.get(what, {})),))


def _sensors(chance: Random, t: float, n: int) -> Lines:
    for number in range(n):
        t += 0.2
        yield Observed(t, (Health(t, f"sensor {number}", ok=bool(chance.randrange(2)), detail="x" * 50),))


def _actions(chance: Random, t: float, n: int) -> Lines:
    for _ in range(n // 2):
        t += 0.1
        yield Done(t, "touch 1")
        yield Revoked(t, 1)


def _back_in_time(chance: Random, t: float, n: int) -> Lines:
    for _ in range(n):
        t -= chance.choice((0.5, 100.0, 1e6))
        yield Observed(t, (Touch(t, "bed 1", True), Button(t, "bed 2")))


KINDS: dict[str, tuple[Making, int]] = {
    "claims": (_claims, 20_000),
    "stations": (_stations, 50_000),
    "days": (_days, 1_000),
    "claims at once": (_claims_at_once, 20_000),
    "touches": (_touches, 20_000),
    "touches at once": (_touches_at_once, 20_000),
    "zones": (_zones, 5_000),
    "cards": (_cards, 20_000),
    "cards that come and go": (_cards_come_and_go, 2_000),
    "counts": (_counts, 20_000),
    "entries": (_entries, 5_000),
    "sensors": (_sensors, 20_000),
    "actions": (_actions, 20_000),
    "back in time": (_back_in_time, 5_000),
}
"""What a journal is full of -> who makes its lines, and how many."""


def write_odd_journal(path: Path, kind: str, seed: int, *, share: float = 1.0, dealt: bool = True) -> int:
    """Write a journal that begins as a game does, and is full of something from then on; of how many things.

    `share`: part of the number in `KINDS`. `dealt`: whether a game is laid out first.
    """
    begun = SensedGame(1)
    if dealt:
        begun.set_up()
    making, most = KINDS[kind]
    n = int(most * share)
    journal = Journal(path, sync=False)
    journal.write([Opened(VERSION, "sleepless-princess", "basic", 3)])
    t = 0.0
    for t, batch in begun.batches:
        journal.write([Observed(t, tuple(batch))] if batch else [])
    journal.write(making(Random(f"{kind} {seed}"), t + 1.0, n))
    journal.close()
    return n
