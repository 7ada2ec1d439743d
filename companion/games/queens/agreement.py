"""The comparison of a surveyed table with the sensor view of a state."""

from companion.games.api import Expectation, Survey


def agrees(expected: Expectation, found: Survey) -> bool:
    """True if the surveyed table `found` does not contradict the predicted view `expected`.

    Zones that nobody watches never contradict. An empty pile agrees too, because its top card may be hidden.
    """
    tops = ((found.zones.get(zone), kinds) for zone, kinds in expected.tops.items())
    return (
        all(sorted(found.zones.get(zone, kinds)) == sorted(kinds) for zone, kinds in expected.zones.items())
        and all(found.face_down.get(zone, number) == number for zone, number in expected.face_down.items())
        and all(not seen or not kinds.isdisjoint(seen) for seen, kinds in tops)
    )
