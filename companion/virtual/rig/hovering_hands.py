"""The hands over the beds of a game, as a camera above them would tell of them."""

from collections.abc import Iterable, Iterator, Mapping
from random import Random

from companion.games.sleepless_princess.sensing.appearance import bed_name
from companion.sensing.observation import Button, Count, Observation, Reach, Sighting, Touch

BEFORE_S, AFTER_S = (0.3, 0.8), (0.3, 1.0)
"""How long a hand is over a bed before it has done something there, and after it."""
FOOT = 0.5
"""Share of the hands at a bed's foot that cover some of the bed."""
PASSING = 0.15
"""Share of the hands that cover a neighbouring bed as well: the arm, the sleeve."""

Visit = tuple[float, float]


def reaches(
    observations: Iterable[Observation], beds: int, chance: Random, rests: Mapping[str, Iterable[Visit]]
) -> Iterator[Reach]:
    """Each hand that comes to a bed and leaves it; `rests`: when hands rest on which bed besides (s)."""
    visits: dict[str, list[Visit]] = {bed_name(bed): list(rests.get(bed_name(bed), ())) for bed in range(beds)}
    for seen in observations:
        place = _place(seen)
        if place is None or not (place in visits or chance.random() < FOOT):
            continue
        bed = int(place.split()[1]) - 1
        visit = (seen.t - chance.uniform(*BEFORE_S), seen.t + chance.uniform(*AFTER_S))
        visits[bed_name(bed)].append(visit)
        if chance.random() < PASSING:
            beside = [n for n in (bed - 1, bed + 1) if 0 <= n < beds]
            visits[bed_name(chance.choice(beside))].append(visit)
    for name, spans in visits.items():
        for came, left in _merged(spans):
            yield Reach(came, name, True)
            yield Reach(left, name)


def _place(seen: Observation) -> str | None:
    match seen:
        case Count(_, place) | Touch(_, place) | Button(_, place) | Sighting(_, place):
            return place if place.startswith(("bed ", "foot ")) else None
    return None


def _merged(visits: Iterable[Visit]) -> Iterator[Visit]:
    """Visits that touch are one."""
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
