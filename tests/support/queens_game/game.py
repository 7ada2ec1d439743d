"""A tiny game that is none of ours: three queens lie face down, and waking one is all that anybody does."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any

from companion.games.appearance import Difference, Expectation, PhysicalCard, Survey, TakenOver
from companion.games.narrator import NOTHING_SHOWN, SENSES, Headline, Message, Words
from companion.games.rules import Fault, Outcome
from companion.games.signs import Sign, Verb
from companion.games.table_game import TableGame
from vision.mat_geometry import Mat, MatMarker, Zone

QUEENS = ("Rose Queen", "Cat Queen", "Moon Queen")


def place_of(queen: int) -> str:
    """The zone of a queen by her number."""
    return f"queen {queen + 1}"


@dataclass(frozen=True, slots=True)
class Court:
    """Which queens still sleep, by their numbers. Nothing in it is called a bed."""

    asleep: tuple[int, ...] = (0, 1, 2)


class Queens(TableGame[Court, int]):
    """See `TableGame`. An action is the number of the queen that is woken; nothing is claimed."""

    name = "queens"
    words = Words(titles=("PLAY",))
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({"tiny": (2,)})

    def setup(self, variant: str, players: int, chance: Random) -> Court:
        return Court()

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> Court:
        return Court()

    def legal_actions(self, state: Court) -> tuple[int, ...]:
        return state.asleep

    def apply(self, state: Court, action: int) -> Court:
        return replace(state, asleep=tuple(one for one in state.asleep if one != action))

    def actor(self, state: Court) -> int:
        return 0

    def outcome(self, state: Court) -> Outcome | None:
        return None if state.asleep else Outcome(3, 3, "All are awake.")

    def status(self, state: Court) -> tuple[Fault, ...]:
        return ()

    def view(self, state: Court, player: int | None) -> Mapping[str, Any]:
        return {"asleep": len(state.asleep)}

    def write_state(self, state: Court) -> str:
        return " ".join(map(str, state.asleep))

    def read_state(self, line: str) -> Court:
        return Court(tuple(map(int, line.split())))

    def write_action(self, action: int) -> str:
        return f"wake {action}"

    def read_action(self, text: str) -> int:
        return int(text.removeprefix("wake "))

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

    def propose(
        self,
        state: Court,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[int]:
        return state.asleep

    def adopt(self, state: Court, found: Survey) -> TakenOver[Court]:
        return TakenOver(state)

    def at_turn(self, state: Court, player: int, *, missed: bool) -> Court:
        return state

    def ended(self, state: Court, found: Survey) -> TakenOver[Court]:
        return TakenOver(state)

    def hidden_layout(self, state: Court) -> Mapping[str, tuple[tuple[int, str], ...]]:
        return {place_of(at): ((at, name),) if at in state.asleep else () for at, name in enumerate(QUEENS)}

    def screen(
        self,
        state: Court,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        return {
            "phase": "play",
            "turn": 1,
            "player": 1,
            "title": "PLAY",
            "places": [],
        }

    def difference(self, state: Court, found: Difference) -> str:
        return ""

    def message(self, before: Court, action: int, after: Court) -> Message:
        return Message(f"wakes:{action}", f"The {QUEENS[action]} wakes up.")

    def headline(self, outcome: Outcome) -> Headline:
        return Headline(f"{outcome.score}", "awake", outcome.text)


GAME = Queens()
