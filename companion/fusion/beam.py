"""The belief: the few best explanations of everything seen so far, carried along from batch to batch."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from math import inf
from typing import Generic, Self, TypeVar

from companion.fusion.absences import SCALES
from companion.fusion.action_search import NARROW, Breadth, Ranked, Search
from companion.fusion.association import CARD_SIGNS
from companion.fusion.claims.contradiction import TURNED_UP_S, Turned
from companion.fusion.clutter import ghosts, is_young
from companion.fusion.detections import Evidence, Noted
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.likelihood import LINGERING, LINGERING_MOST, TRACE_COSTS, WRONG_FACE
from companion.fusion.transition_cache import Positions
from companion.games.api import TableGame
from companion.sensing.observation import Observation, Sighting

S = TypeVar("S")
A = TypeVar("A")

CLAIMS = ("press", "came")
"""Traces that belong to claims themselves."""
TRACE_LIFE_S = 120.0
"""A trace that found no cause for so long is dropped: it explains nothing any more."""

LATELY_S = max(TRACE_COSTS[verb].young_s for verb in CARD_SIGNS)
"""What was believed so lately is weighed anew: more may lie there than was seen at first, or be hidden only."""
UNDATED_S = 3.0
"""So much longer an action that left no sign of its own: when it was done is known least of all."""
STEPS_AT_ONCE = 6
"""So many steps are taken at once at most: all open cards, by an arm above them as it seems, and one more."""
ANEW = 6.0
"""So far (nats) behind the best that has the same in hidden places a hypothesis may be whose last steps are
weighed anew."""

Allowed = Callable[[Evidence, Hypothesis[S, A], A], bool]


class Belief(Generic[S, A]):
    """Evidence, and the hypotheses that explain it with their costs.

    `allowed` says whether an action may be believed to follow a hypothesis at all; `positions` are those that
    an earlier belief of the same game has met.
    """

    def __init__(
        self,
        game: TableGame[S, A],
        evidence: Evidence,
        told: Hypothesis[S, A],
        allowed: Allowed[S, A],
        positions: Positions[S, A] | None = None,
    ) -> None:
        self.evidence = evidence
        self.told = told
        """The hypothesis that players were told of; cards that are shown put it right as well."""
        self.ranked: Ranked[S, A] = [(told.cost, told)]
        self.pending = False
        """Whether something is new since the hypotheses were ranked last."""
        self.leading: tuple[Step[S, A] | None, float] = (None, 0.0)
        """The last step of the best hypothesis, and since when it has been the best."""
        self._game = game
        self._allowed = allowed
        self._positions = positions or Positions(game)
        self._search: Search[S, A] = Search(
            game, evidence, lambda node, action: allowed(self.evidence, node, action), self._positions
        )
        self._ranked_at = 0.0
        self.turned: list[Turned[S, A]] = []
        """Cards that contradicted a verdict when they were turned up, until somebody asks."""
        self._told_at = -inf
        """When those at the table last said what they had done, or showed it (s): nothing before is weighed
        anew."""
        self._near_at: dict[Hashable, float] = {}
        """What lies in hidden places in some story -> when one of these was near the best last (s)."""

    def copy(self) -> Self:
        """An independent belief that starts from the same evidence and hypotheses."""
        twin = type(self)(self._game, self.evidence.copy(), self.told, self._allowed, self._positions)
        twin.ranked = list(self.ranked)
        twin.pending, twin.leading = self.pending, self.leading
        twin._ranked_at, twin._told_at = self._ranked_at, self._told_at
        twin._near_at = dict(self._near_at)
        return twin

    @property
    def best(self) -> Hypothesis[S, A]:
        """The hypothesis that explains most."""
        return self.ranked[0][1]

    @property
    def looked(self) -> int:
        """Positions looked at so far to find explanations."""
        return self._search.looked

    def take(self, t: float, observations: Sequence[Observation]) -> None:
        """Take observations in; `rank` then explains them."""
        old = self.evidence.next
        changed = {seen.zone for seen in observations if isinstance(seen, Sighting)}
        grown = {seen.zone for seen in observations if isinstance(seen, Sighting) and self.evidence.grows(seen)}
        # Most batches of a table at rest are empty: then nothing can be charged.
        prices = self._prices(changed - grown) if observations else []
        if self.evidence.feed(observations):
            self.pending = True
            self._charge(prices)
        self.pending |= self.evidence.weigh_hands(t)
        self._look_at_shown()
        state = self.told.state
        # What only echoes what those at the table were told needs no cause: nobody pays for it.
        self.evidence.taken_out(lambda noted: noted.id >= old and self._game.no_news(state, noted.trace))
        self._settle(
            t,
            lambda noted: (
                noted.t < t - TRACE_LIFE_S
                or (noted.trace[0] == "came" and self._game.no_news(state, noted.trace))
            ),
        )
        self.pending = self.pending or any(
            is_young(noted, self._ranked_at) and not is_young(noted, t) for noted in self.evidence.traces
        )

    def rank(self, t: float, breadth: Breadth) -> None:
        """Find the best explanations of what is known now."""
        roots = [node for _, node in self.ranked]
        self.ranked = self._search.explain(
            t, [*roots, *_before(self._near(t), self._waiting(), max(t - LATELY_S, self._told_at))], breadth
        )
        self.pending = False
        self._ranked_at = t
        self._near_at = {hidden: at for hidden, at in self._near_at.items() if at > t - LATELY_S}
        if self.best.step is not self.leading[0]:
            self.leading = (self.best.step, t)

    def _near(self, t: float) -> Iterator[Hypothesis[S, A]]:
        """The hypotheses whose last steps are weighed anew at `t` (s): those near the best that has the same in
        hidden places, if that was near the best of all not long ago. Else what only the best stories get out of
        this would count against all that differ there."""
        near = self.ranked[0][0] + ANEW
        best: dict[Hashable, float] = {}
        for total, node in self.ranked:
            hidden = self._positions.hidden(node.state)
            first = best.setdefault(hidden, total)
            if first <= near:
                self._near_at[hidden] = t
            if total <= first + ANEW and self._near_at.get(hidden, -inf) > t - LATELY_S:
                yield node

    def reconsidered(self, t: float, steps: int) -> Self:
        """What is believed if the last few steps of every hypothesis are weighed again, all at once."""
        twin = self.copy()
        nodes = [node for _, node in self.ranked]
        twin.ranked += [
            (self.total(node), node) for node in _before(nodes, self._waiting(), self._told_at, steps)
        ]
        twin.rank(t, NARROW)
        return twin

    def total(self, node: Hypothesis[S, A]) -> float:
        """The cost of a hypothesis and of all it leaves unexplained, in nats."""
        return self._search.total(node)

    def mismatch(self, state: S) -> float:
        """The cost of what lies otherwise than a state says, in nats."""
        return self._search.mismatch(state)

    def unexplained(self, t: float) -> float:
        """What the best hypothesis has no cause for at `t` (s), in nats; claims, which wait, do not count, nor
        does what needs no cause where it leads."""
        state = self.best.state
        waiting = [
            noted
            for noted in self.evidence.traces
            if noted.trace[0] not in CLAIMS and not self._game.no_news(state, noted.trace)
        ]
        return ghosts(waiting, t, self.best.used) + self.mismatch(self.best.state)

    def learn(self, t: float, price: Callable[[Hypothesis[S, A]], float]) -> None:
        """Somebody said at `t` (s) what was done: each hypothesis pays (nats) for what it has otherwise."""
        if all(node is not self.told for _, node in self.ranked):
            self.told = self.told.charged(price(self.told))
        self.charge(price)
        self._told_at = t

    def charge(self, price: Callable[[Hypothesis[S, A]], float]) -> None:
        """Each hypothesis pays (nats) what it must."""
        self._charge([price(node) for _, node in self.ranked])
        self.ranked.sort(key=lambda one: one[0])
        self.pending = True

    def _waiting(self) -> set[int]:
        return {noted.id for noted in self.evidence.traces}

    def _prices(self, zones: Collection[str]) -> list[float]:
        """What each hypothesis pays when something new is seen, perhaps in zones, for what it contradicts."""
        return [
            max(
                sum(self._search.passed(node, zone) for zone in sorted(zones)),
                min(LINGERING_MOST, LINGERING * self._search.mismatch(node.state)),
            )
            for _, node in self.ranked
        ]

    def _charge(self, prices: Iterable[float]) -> None:
        changed = [
            (total + price, node.charged(price))
            for (total, node), price in zip(self.ranked, prices, strict=True)
        ]
        self._become(changed)

    def _become(self, changed: Ranked[S, A]) -> None:
        """Each hypothesis as it is now, in the same order."""
        for (_, old), (_, new) in zip(self.ranked, changed, strict=True):
            if old is self.told:
                self.told = new
        self.ranked = changed

    def _settle(self, t: float, done: Callable[[Noted], bool]) -> None:
        """Traces that are done wait no longer: who has no cause for them pays for good."""
        waiting = self.evidence.traces
        out = self.evidence.taken_out(done)
        if not out:
            return
        # Nobody will ever know what was moved there.
        lost = (one for one in out if one.trace[0] in SCALES and one.id not in self.told.used)
        self.evidence.absences.unexplained.update(one.trace[1] for one in lost)
        left = self.evidence.traces
        ids = frozenset(noted.id for noted in waiting)
        paid: dict[frozenset[int], float] = {}
        for _, node in self.ranked:
            used = node.used & ids
            if used not in paid:
                # What is paid is what the total loses: of two that cancel each other one may still wait.
                paid[used] = ghosts(waiting, t, used) - ghosts(left, t, used)
        self._become([(total, node.charged(paid[node.used & ids])) for total, node in self.ranked])

    def _look_at_shown(self) -> None:
        """Cards that are turned up are what they are, whatever was believed of them or said of their bed."""
        for noted in self.evidence.traces:
            verb, place, kinds = noted.trace
            before = self.told.state
            bed = self._game.place_of_claim(before, place) if verb == "came" else None
            if bed is None:
                continue
            judged = self._game.no_news(before, noted.trace)
            claim = self._judged_since(noted.t - TURNED_UP_S, bed) if judged else None
            if judged and claim is None:
                continue
            self._become([self._with_shown(total, node, bed, kinds) for total, node in self.ranked])
            self.told = self._with_shown(0.0, self.told, bed, kinds)[1]
            if claim is not None and self.told.state != before:
                self._told_at = noted.t
                shown = self._game.shown(before, bed, kinds)
                verdict = shown.verdict if shown is not None else None
                self.turned.append(Turned(noted.t, bed, claim, verdict, before, self.told.state))

    def _judged_since(self, since: float, bed: int) -> Step[S, A] | None:
        """The claim on a bed (from 0) that was judged after a time (s), if there is one."""
        lately = takewhile(lambda step: step.t > since, (node.step for node in self.told.back() if node.step))
        return next((step for step in lately if (self._game.claim_of(step.action) or (None,))[0] == bed), None)

    def _with_shown(
        self, total: float, node: Hypothesis[S, A], bed: int, kinds: tuple[str, ...]
    ) -> tuple[float, Hypothesis[S, A]]:
        shown = self._game.shown(node.state, bed, kinds)
        if shown is None or shown.state == node.state:
            return total, node
        self.pending = True
        price = WRONG_FACE * shown.wrong
        return total + price, replace(node, state=shown.state).charged(price)


def _before(
    nodes: Iterable[Hypothesis[S, A]], waiting: Collection[int], since: float, most: int = STEPS_AT_ONCE
) -> list[Hypothesis[S, A]]:
    """What was believed before the last few steps of hypotheses that were taken after `since` (s).

    Traces that these steps explained and that do not wait any more have no cause then.
    """
    found: dict[int, Hypothesis[S, A]] = {}
    for last in nodes:
        uncaused = 0.0
        for node in islice(last.back(), most):
            if node.step is None or node.parent is None:
                break
            if node.step.t <= (since if node.step.used else since - UNDATED_S):
                break
            uncaused += sum(TRACE_COSTS[one.trace[0]].ghost for one in node.step.used if one.id not in waiting)
            found.setdefault(id(node.parent), node.parent.charged(last.paid - node.parent.paid + uncaused))
    return list(found.values())
