"""Whether a table that was looked at lies as a state expects it."""

from companion.games.api import Expectation, Survey


def agrees(expected: Expectation, found: Survey) -> bool:
    """Whether nothing that was seen differs from what is `expected`; what nobody watches says nothing.

    An empty pile agrees as well: a top card that lies hidden is not missing.
    """
    tops = ((found.zones.get(zone), kinds) for zone, kinds in expected.tops.items())
    return (
        all(sorted(found.zones.get(zone, kinds)) == sorted(kinds) for zone, kinds in expected.zones.items())
        and all(found.face_down.get(zone, number) == number for zone, number in expected.face_down.items())
        and all(not seen or not kinds.isdisjoint(seen) for seen, kinds in tops)
    )
