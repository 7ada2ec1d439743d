"""Whole games as a camera tells of them that looks seldom."""

from collections.abc import Sequence
from itertools import groupby

from companion.core.clock import ManualClock
from companion.games.registry import load_game, load_virtual
from companion.rehearse.watched_session import Told, WatchedSession
from companion.sensing.observation import Seen, Sighting
from companion.session.journal.journal_replay import pass_time
from companion.virtual.rehearsal_api import ActedGame

BATCH_S, ACTION_S = 1.2, 2.75
"""Time (s) from one batch of an action to the next, and from an action to the next."""


def acted(game: str, seed: int, players: int) -> ActedGame:
    variant = next(iter(load_game(game).variants))
    played: ActedGame = load_virtual(game).act_out(seed, variant, players, 0.5, tapped=False)
    return played


def sightings(played: ActedGame) -> list[Sighting]:
    """What a perfect camera reports, with times (s)."""
    found: list[Sighting] = []
    t = 3.0
    for doing in (*played.laying_out, *played.playing):
        for batch in doing.batches:
            t = round(t + BATCH_S, 2)
            found += [Sighting(t, seen.zone, seen.cards) for seen in batch if isinstance(seen, Sighting)]
        t += ACTION_S
    return found


def looks(seen: Sequence[Sighting], every: float) -> list[Sighting]:
    """The same from a camera that looks at the table once in `every` (s)."""
    found: list[Sighting] = []
    told: dict[str, tuple[Seen, ...]] = {}
    for look, of_look in groupby(seen, key=lambda one: int(one.t / every) + 1):
        now = {one.zone: one.cards for one in of_look}
        found += [Sighting(look * every, zone, cards) for zone, cards in now.items() if told.get(zone) != cards]
        told |= now
    return found


def followed(game: str, players: int, seen: Sequence[Sighting], after_s: float = 60.0) -> WatchedSession:
    """A session that was told of it, and `after_s` (s) more."""
    rules, clock = load_game(game), ManualClock()
    session = WatchedSession(rules, next(iter(rules.variants)), players, clock=clock)
    told = Told()
    for t, together in groupby(seen, key=lambda one: one.t):
        pass_time(session, clock, t)
        told.waiting += together
        session.step([told])
    pass_time(session, clock, clock.now() + after_s)
    return session
