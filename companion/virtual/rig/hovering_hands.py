"""Simulated hands over stations, as the camera reports them."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from companion.sensing.observation import Button, Count, Observation, Reach, Sighting, Touch
from companion.virtual.parameters import PLAYERS
from companion.virtual.rig.rig_plan import RigPlan

Visit = tuple[float, float]
"""Stay of a hand over a station: its begin and end (s)."""


def reaches(
    observations: Iterable[Observation], plan: RigPlan, chance: Random, rests: Mapping[str, Iterable[Visit]]
) -> Iterator[Reach]:
    """Report virtual hands over stations, as the camera does: each coming, then its leaving.

    Hands come for what `observations` report there. `rests`: station -> visits (begin and end, s) of hands
    that also rest on its scale.
    """
    visits: dict[str, list[Visit]] = {station: list(rests.get(station, ())) for station in plan.stations}
    for seen in observations:
        place = _place(seen)
        station = place if place in visits else plan.near.get(place)
        if station is None or (station != place and chance.random() >= PLAYERS.covers_part):
            continue
        visit = (
            seen.t - chance.uniform(*PLAYERS.hovers_before_s),
            seen.t + chance.uniform(*PLAYERS.hovers_after_s),
        )
        visits[station].append(visit)
        if chance.random() < PLAYERS.passing:
            at = plan.stations.index(station)
            beside = [plan.stations[n] for n in (at - 1, at + 1) if 0 <= n < len(plan.stations)]
            visits[chance.choice(beside)].append(visit)
    for name, spans in visits.items():
        for came, left in _merged(spans):
            yield Reach(came, name, True)
            yield Reach(left, name)


def _place(seen: Observation) -> str:
    match seen:
        case Count(_, place) | Touch(_, place) | Button(_, place) | Sighting(_, place):
            return place
    return ""


def _merged(visits: Iterable[Visit]) -> Iterator[Visit]:
    """Join visits of hands that overlap, in time order."""
    open_: Visit | None = None
    for came, left in sorted(visits):
        if open_ is not None and came <= open_[1]:
            open_ = (open_[0], max(left, open_[1]))
            continue
        if open_ is not None:
            yield open_
        open_ = (came, left)
    if open_ is not None:
        yield open_
