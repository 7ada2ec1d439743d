"""Queens on a mat of three places, of which each is a zone: a queen that is awake lies there face up."""

from companion.games.api import Expectation, PhysicalCard
from companion.games.signs import Sign, Verb
from tests.support.queens import QUEENS, Court, Queens
from vision.mat_geometry import Mat, MatMarker, Zone


def place_of(queen: int) -> str:
    """The zone of a queen by her number."""
    return f"queen {queen + 1}"


class QueensOnTable(Queens):
    """See `TableGame`."""

    def mat(self, variant: str) -> Mat:
        corners = ((25.0, 25.0), (935.0, 25.0), (935.0, 515.0), (25.0, 515.0))
        markers = tuple(MatMarker(240 + at, x, y, 30.0) for at, (x, y) in enumerate(corners))
        zones = tuple(Zone(place_of(at), 150.0 + 240 * at, 180.0, 180.0, 180.0) for at in range(len(QUEENS)))
        return Mat("queens", 960.0, 540.0, markers, zones)

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        return tuple(PhysicalCard(f"Q{at}", f"Q{at}", name, f"TQ1Q{at}") for at, name in enumerate(QUEENS))

    def expected_view(self, state: Court) -> Expectation:
        zones = {place_of(at): () if at in state.asleep else (f"Q{at}",) for at in range(len(QUEENS))}
        return Expectation(zones, {}, {})

    def signs(self, state: Court, action: int) -> tuple[Sign, ...]:
        return (Sign(Verb.CAME, place_of(action), (f"Q{action}",)),)

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        return frozenset((Verb.CAME, place_of(at)) for at in range(len(QUEENS)))
