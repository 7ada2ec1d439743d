"""Pairs: four cards face down on a grid, two of a kind. Rules, notation, mat, cards, signs and sentences.

The player on turn turns two cards up. Equal ones stay open and score; others are turned down again. Before the
second card a player may call a place: "the twin lies here". A call that comes true scores, too.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any

from companion.games.appearance import Difference, Expectation, PhysicalCard, Survey, TakenOver
from companion.games.claims import Judgement, Verdict
from companion.games.narrator import NOTHING_SHOWN, SENSES, Headline, Message, Words
from companion.games.rules import Fault, IllegalError, Outcome, action
from companion.games.signs import Sign, Verb
from companion.games.table_game import TableGame
from vision.mat_geometry import Mat, MatMarker, Zone

KINDS = ("sun", "moon")
PLACES = 4
UNKNOWN = "?"
NAMES = tuple(f"place {at + 1}" for at in range(PLACES))
VERDICTS = {Verdict.PROVED: "Right!", Verdict.REFUTED: "No.", Verdict.CANNOT_TELL: "Turn it up."}


@dataclass(frozen=True, slots=True)
class State:
    """`kinds` and `won` have an entry for each place: the kind that lies there, who won it (-1: nobody)."""

    kinds: tuple[str, ...] = (UNKNOWN,) * PLACES
    seen: frozenset[int] = frozenset()
    up: tuple[int, ...] = ()
    won: tuple[int, ...] = (-1,) * PLACES
    points: tuple[int, int] = (0, 0)
    turn: int = 0
    called: int = -1


@action
class Flip:
    """The card at a place is turned up and shows its kind."""

    place: int
    kind: str


@action
class Cover:
    """The two open cards, which are not equal, are turned down."""


@action
class Call:
    """The player on turn says that the twin of the open card lies at a place."""

    place: int


Action = Flip | Cover | Call


class Pairs(TableGame[State, Action]):
    """See `TableGame`."""

    name = "pairs"
    words = Words(
        titles=("OVER",),
        turn_titles=("FLIP", "COVER"),
        claim_title="Where is the twin?",
        verdicts={verdict: (text, "awake") for verdict, text in VERDICTS.items()},
    )
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({"tiny": (2,)})

    def setup(self, variant: str, players: int, chance: Random) -> State:
        kinds = [*KINDS, *KINDS]
        chance.shuffle(kinds)
        return State(tuple(kinds))

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        return State()

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        if all(one >= 0 for one in state.won):
            return ()
        if len(state.up) == 2:
            return (Cover(),)
        down = [at for at in range(PLACES) if state.won[at] < 0 and at not in state.up]
        flips = tuple(Flip(at, kind) for at in down for kind in self._possible(state, at))
        calls = tuple(Call(at) for at in down) if state.up and state.called < 0 else ()
        return flips + calls

    @staticmethod
    def _possible(state: State, place: int) -> tuple[str, ...]:
        if state.kinds[place] != UNKNOWN:
            return (state.kinds[place],)
        known = Counter(state.kinds)
        return tuple(kind for kind in KINDS if known[kind] < 2)

    def apply(self, state: State, action: Action) -> State:
        if action not in self.legal_actions(state):
            raise IllegalError("order", "rules", f"{self.write_action(action)} is not possible now")
        match action:
            case Call(place):
                return replace(state, called=place)
            case Cover():
                return replace(state, up=(), turn=1 - state.turn, called=-1)
        kinds = (*state.kinds[: action.place], action.kind, *state.kinds[action.place + 1 :])
        state = replace(
            state, kinds=kinds, seen=state.seen | {action.place}, up=tuple(sorted((*state.up, action.place)))
        )
        if len(state.up) < 2 or len({kinds[at] for at in state.up}) == 2:
            return state
        points = [*state.points]
        points[state.turn] += 1 + (state.called == action.place)
        won = tuple(state.turn if at in state.up else one for at, one in enumerate(state.won))
        return replace(state, up=(), won=won, points=(points[0], points[1]), called=-1)

    def actor(self, state: State) -> int:
        return state.turn

    def outcome(self, state: State) -> Outcome | None:
        if self.legal_actions(state):
            return None
        return Outcome(max(state.points), 4, f"The points are {state.points[0]} and {state.points[1]}.")

    def status(self, state: State) -> tuple[Fault, ...]:
        too_many = [kind for kind in KINDS if state.kinds.count(kind) > 2]
        return tuple(Fault("count", f"There are three of {kind}.", (kind,)) for kind in too_many)

    def view(self, state: State, player: int | None) -> Mapping[str, Any]:
        seen = [kind if at in state.seen else UNKNOWN for at, kind in enumerate(state.kinds)]
        return {"seen": seen, "up": list(state.up), "won": list(state.won), "points": list(state.points)}

    def write_state(self, state: State) -> str:
        fields = [
            " ".join(state.kinds),
            *(" ".join(map(str, numbers)) for numbers in (sorted(state.seen), state.up, state.won)),
            *(" ".join(map(str, numbers)) for numbers in (state.points, (state.turn, state.called))),
        ]
        return "/".join(fields)

    def read_state(self, line: str) -> State:
        kinds, *rest = line.split("/")
        seen, up, won, points, (turn, called) = (tuple(map(int, one.split())) for one in rest)
        return State(tuple(kinds.split()), frozenset(seen), up, won, (points[0], points[1]), turn, called)

    def write_action(self, action: Action) -> str:
        match action:
            case Flip(place, kind):
                return f"flip {place + 1} {kind}"
            case Call(place):
                return f"call {place + 1}"
        return "cover"

    def read_action(self, text: str) -> Action:
        match text.split():
            case ["flip", place, kind]:
                return Flip(int(place) - 1, kind)
            case ["call", place]:
                return Call(int(place) - 1)
            case ["cover"]:
                return Cover()
        raise ValueError(f"{text!r} is no action")

    def mat(self, variant: str) -> Mat:
        corners = ((25.0, 25.0), (935.0, 25.0), (935.0, 515.0), (25.0, 515.0))
        markers = tuple(MatMarker(240 + at, x, y, 30.0) for at, (x, y) in enumerate(corners))
        zones = tuple(
            Zone(name, 200.0 + 380 * (at % 2), 70.0 + 230 * (at // 2), 180.0, 170.0)
            for at, name in enumerate(NAMES)
        )
        return Mat(self.name, 960.0, 540.0, markers, zones)

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        twins = [(kind, f"{kind[0].upper()}{n}") for kind in KINDS for n in "AB"]
        return tuple(PhysicalCard(code, kind, kind, f"TP1{code}") for kind, code in twins)

    def expected_view(self, state: State) -> Expectation:
        open_now = [at for at in range(PLACES) if at in state.up or state.won[at] >= 0]
        zones = {name: (state.kinds[at],) if at in open_now else () for at, name in enumerate(NAMES)}
        return Expectation(zones, {}, {})

    def signs(self, state: State, action: Action) -> tuple[Sign, ...]:
        match action:
            case Flip(place, kind):
                return (Sign(Verb.CAME, NAMES[place], (kind,)),)
            case Call(place):
                return (Sign(Verb.PRESS, NAMES[place]),)
        return tuple(Sign(Verb.LEFT, NAMES[at], (state.kinds[at],)) for at in state.up)

    def watched(self, variant: str) -> frozenset[tuple[Verb, str]]:
        return frozenset((verb, name) for verb in (Verb.CAME, Verb.LEFT, Verb.PRESS) for name in NAMES)

    def propose(
        self,
        state: State,
        zones: Mapping[str, tuple[str, ...]],
        counts: Mapping[str, int],
        signs: Sequence[Sign],
    ) -> Iterable[Action]:
        return self.legal_actions(state)

    def adopt(self, state: State, found: Survey) -> TakenOver[State]:
        kinds = list(state.kinds)
        for at, name in enumerate(NAMES):
            kinds[at] = next(iter(found.zones.get(name, ())), kinds[at])
        return TakenOver(replace(state, kinds=tuple(kinds)))

    def at_turn(self, state: State, player: int, *, missed: bool) -> State:
        return replace(state, turn=player, up=(), called=-1)

    def ended(self, state: State, found: Survey) -> TakenOver[State]:
        raise ValueError("not every pair is found")

    def hidden_layout(self, state: State) -> Mapping[str, tuple[tuple[int, str], ...]]:
        down = [at for at in range(PLACES) if state.won[at] < 0 and at not in state.up]
        return {name: ((at, state.kinds[at]),) if at in down else () for at, name in enumerate(NAMES)}

    def claim_of(self, action: Action) -> tuple[int, bool | None] | None:
        return (action.place, None) if isinstance(action, Call) else None

    def subject_at(self, state: State, place: str) -> int | None:
        return NAMES.index(place) if place in NAMES else None

    def claim_station(self, state: State, subject: int) -> str:
        return NAMES[subject]

    def claimable(self, state: State, subject: int) -> str | None:
        return None if Call(subject) in self.legal_actions(state) else "Turn a card up first."

    def judge(self, state: State, subject: int) -> Judgement:
        kind, wanted = state.kinds[subject], [state.kinds[at] for at in state.up]
        if kind == UNKNOWN or not wanted:
            return Judgement(Verdict.CANNOT_TELL, (), NAMES[subject])
        return Judgement(Verdict.PROVED if kind == wanted[0] else Verdict.REFUTED, (), "")

    def screen(
        self,
        state: State,
        assist: str,
        senses: Set[str] = SENSES,
        turned_up: Mapping[str, tuple[str, ...]] = NOTHING_SHOWN,
    ) -> Mapping[str, Any]:
        open_now = self.expected_view(state).zones
        places = [
            {
                "name": name,
                "badge": "awake" if open_now[name] else "asleep",
                "shown": list(open_now[name]),
                "claim": "" if self.claimable(state, at) else "the twin lies here",
            }
            for at, name in enumerate(NAMES)
        ]
        over = self.outcome(state) is not None
        title = "OVER" if over else "COVER" if len(state.up) == 2 else "FLIP"
        return {
            "phase": title.lower(),
            "title": title,
            "over": over,
            "turn": 1,
            "player": 0 if over else state.turn + 1,
            "places": places,
            "may": [] if over else ["Turn a card up."],
        }

    def difference(self, state: State, found: Difference) -> str:
        return f"The card on {found.place} lies wrongly."

    def message(self, before: State, action: Action, after: State) -> Message | None:
        match action:
            case Flip(place, kind):
                pair = " That is a pair." if after.won[place] >= 0 else ""
                return Message(f"flip:{place}:{kind}", f"Player {before.turn + 1} turns up a {kind}.{pair}")
            case Call(place):
                return Message(f"call:{place}", f"Player {before.turn + 1} calls {NAMES[place]}.")
        return None

    def headline(self, outcome: Outcome) -> Headline:
        return Headline(str(outcome.score), "points", outcome.text)


GAME = Pairs()
