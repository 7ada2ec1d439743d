"""The beam: the few best hypotheses, carried along from batch to batch."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, takewhile
from math import inf
from typing import Any, Generic, Self, TypeVar

from msgspec.structs import replace

from companion.fusion.action_search import Search
from companion.fusion.claims.contradiction import Turned, verdict_said
from companion.fusion.clutter import cancelled, cancelled_pairs, clutter_cost, is_young
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.search import SEARCH
from companion.fusion.parameters.sensors import DETECTIONS
from companion.fusion.parameters.sign_models import CARD_SIGNS, SCALE_SIGNS, SIGN_MODELS
from companion.fusion.pruning import ScoredHypotheses
from companion.fusion.recorded_steps import RecordedSteps
from companion.fusion.transition_cache import TransitionCache
from companion.fusion.work_budget import WorkBudget
from companion.games.claims import Verdict
from companion.games.signs import Sign, Verb
from companion.games.table_game import TableGame, revealed
from companion.sensing.observation import Observation, Sighting

S = TypeVar("S")
A = TypeVar("A")

CLAIMS = (Verb.PRESS, Verb.CAME)
"""Signs that belong to claims themselves."""

LATELY_S = max(SIGN_MODELS[verb].young_s for verb in CARD_SIGNS)
"""Steps younger than this (s) are searched again: cards may have been hidden, or come late."""


Allowed = Callable[[SensedTable, Hypothesis[S, A], A], bool]


class Beam(Generic[S, A]):
    """What was sensed, and the hypotheses that explain it with their costs.

    `allowed`: whether an action may follow a hypothesis at all. `cache`, `budget` and `recorded`: of an earlier
    beam of the same game.
    """

    def __init__(
        self,
        game: TableGame[S, A],
        sensed: SensedTable,
        published: Hypothesis[S, A],
        allowed: Allowed[S, A],
        cache: TransitionCache[S, A] | None = None,
        budget: WorkBudget | None = None,
        recorded: RecordedSteps[S, A] | None = None,
    ) -> None:
        self.sensed = sensed
        self.published = published
        """The hypothesis that was published; cards that are turned up correct it as well."""
        self.scored: ScoredHypotheses[S, A] = [(published.cost, published)]
        self.pending = False
        """Whether something is new since the last `expand`."""
        self.leading: tuple[Step[S, A] | None, float] = (None, 0.0)
        """The newest step of the best hypothesis, and since when (s) it has been that."""
        self._game = game
        self._allowed = allowed
        self._cache = cache or TransitionCache(game)
        self.budget = budget or WorkBudget()
        self._recorded: RecordedSteps[S, A] = recorded if recorded is not None else RecordedSteps()
        self._search: Search[S, A] = Search(
            game, sensed, partial(allowed, sensed), self._cache, self.budget, self._recorded
        )
        self._found: ScoredHypotheses[S, A] = self.scored
        """What the last search found: as long as nothing else was made of it, the search can go on."""
        self._expanded_at = 0.0
        self.turned: list[Turned[S, A]] = []
        """Verdicts that turned up cards contradicted, until somebody takes them."""
        self.misplaced: list[str] = []
        """Places where cards were turned up that were other ones than published, until somebody takes them."""
        self.confirmed: list[tuple[str, float]] = []
        """Places and times (s) at which just the cards were turned up that were published there, until somebody
        takes them."""
        self._before_shown: dict[str, tuple[float, S]] = {}
        """Place -> when cards were last seen face up there (s), and what was published before the first."""
        self.lost: list[Detection] = []
        """Signs of scales that were settled without a cause, until somebody takes them."""
        self.emptied: list[Detection] = []
        """Signs of scales that were empty for a moment, of no action, until somebody takes them."""
        self._published_at = -inf
        """When players last said or showed what they had done (s): nothing before is searched again."""
        self.settled = 0
        """Number of steps, from the root, that are never revised, and so are not searched again."""
        self._tile_at: dict[str, float] = {}
        """Place -> when the tile that proves a claim was last seen there (s)."""
        self._looked_at: set[int] = set()
        """Numbers of the detections of turned up cards that corrected the hypotheses after a verdict."""
        self._known_to: S | None = None
        self._known: dict[Sign, bool] = {}
        """What `_unknown` found of the state `_known_to`: it is asked several times for every batch."""
        self._near_at: dict[Hashable, float] = {}
        """Hidden layout -> when a hypothesis with it was last near the best (s)."""

    def copy(self) -> Self:
        """An independent beam with the same detections and hypotheses."""
        twin = type(self)(
            self._game,
            self.sensed.copy(),
            self.published,
            self._allowed,
            self._cache,
            self.budget,
            self._recorded,
        )
        twin.scored = list(self.scored)
        twin.pending, twin.leading = self.pending or self.unfinished, self.leading
        twin._expanded_at, twin._published_at = self._expanded_at, self._published_at
        twin.settled = self.settled
        twin._near_at = dict(self._near_at)
        twin._looked_at = set(self._looked_at)
        twin._tile_at = dict(self._tile_at)
        twin._before_shown = dict(self._before_shown)
        return twin

    @property
    def best(self) -> Hypothesis[S, A]:
        """The hypothesis with the lowest total cost."""
        return self.scored[0][1]

    @property
    def looked(self) -> int:
        """Hypotheses expanded so far."""
        return self._search.looked

    def take(self, t: float, observations: Sequence[Observation]) -> None:
        """Take observations in; `expand` then explains them."""
        old = self.sensed.next
        changed = {seen.zone for seen in observations if isinstance(seen, Sighting)}
        grown = {seen.zone for seen in observations if isinstance(seen, Sighting) and self.sensed.grows(seen)}
        # Most batches of a table at rest are empty.
        costs = self._contradiction_costs(t, changed - grown) if observations else []
        if self.sensed.feed(observations):
            self.pending = True
            self._charge(costs)
        self.pending |= self.sensed.weigh_hands(t)
        self._look_at_shown(t)
        state = self.published.state
        self._know(old, state)
        ended = t - DETECTIONS.life_s
        # Of two that cancel each other none is settled alone: the other would look unexplained.
        outlived = any(one.t < ended for one in self.sensed.detections)
        loose = [one for one in self.sensed.detections if one.id not in self.published.used] if outlived else []
        pairs = cancelled_pairs(loose)
        cancelled = {
            one.id for one, later in pairs if one.t < ended <= later.t and ended - one.t < DETECTIONS.life_s
        }
        # What the board did not report while it was away, it may still tell: a card that came there before.
        untold = "board" in self.sensed.silent or t - self.sensed.back["board"] < LATELY_S
        lately = min(t - LATELY_S, self.sensed.away["board"]) if untold else t - LATELY_S
        self._settle(
            t,
            lambda detection: (
                (detection.t < ended and detection.id not in cancelled)
                or (
                    detection.sign.verb in CLAIMS
                    and detection.t < lately
                    and self._game.already_known(state, detection.sign)
                )
            ),
        )
        self.pending |= self.sensed.came_to_rest(self._expanded_at, t)
        self.pending = self.pending or any(
            is_young(detection, self._expanded_at) and not is_young(detection, t)
            for detection in self.sensed.detections
        )

    def _know(self, since: int, state: S) -> None:
        """Settle new detections (numbered from `since`) that the published `state` already explains.

        A press, and cards that were laid at a place, are explained by each hypothesis that knows them, and stay
        open for the others: people press and turn up in any order.
        """
        known = [
            detection
            for detection in self.sensed.detections
            if detection.id >= since and self._game.already_known(state, detection.sign)
        ]
        done = {detection.id for detection in known if detection.sign.verb not in CLAIMS}
        out = self.sensed.taken_out(lambda detection: detection.id in done)
        self.sensed.noted.subtract(one.sign.verb for one in out)
        self.emptied += [one for one in out if one.sign.verb == Verb.OFF]
        for detection in known:
            if detection.id not in done:
                self._become([(cost, self._explained(one, detection)) for cost, one in self.scored])
                self.published = self._explained(self.published, detection)

    def _explained(self, hypothesis: Hypothesis[S, A], detection: Detection) -> Hypothesis[S, A]:
        """The hypothesis with this detection explained, if its state knows it."""
        if detection.id in hypothesis.used or not self._game.already_known(hypothesis.state, detection.sign):
            return hypothesis
        return replace(hypothesis, used=hypothesis.used | {detection.id})

    @property
    def unfinished(self) -> bool:
        """Whether the budget ended before the last search did."""
        return self._search.unfinished

    def think(self, t: float) -> None:
        """Explain what is new at `t` (s), or else go on with a search that the budget had ended."""
        if self.pending or (self.unfinished and self._found is not self.scored):
            self.expand(t)
        elif (found := self._search.go_on()) is not None:
            self._take_over(t, found)

    def expand(self, t: float) -> None:
        """Extend the hypotheses to the best explanations of what is sensed at `t` (s)."""
        roots = [hypothesis for _, hypothesis in self.scored]
        since = max(t - LATELY_S, self._published_at)
        before = _before(self._near(t), self._waiting(), since, self.settled)
        found = self._search.explain(t, [*roots, *before])
        self.pending = False
        self._expanded_at = t
        for hidden in [hidden for hidden, at in self._near_at.items() if at <= t - LATELY_S]:
            del self._near_at[hidden]
        self._take_over(t, found)

    def _take_over(self, t: float, found: ScoredHypotheses[S, A]) -> None:
        self.scored = self._found = found
        if self.best.step is not self.leading[0]:
            self.leading = (self.best.step, t)

    def _near(self, t: float) -> Iterator[Hypothesis[S, A]]:
        """The hypotheses whose last steps are searched again at `t` (s).

        These are near the best one with the same hidden layout, which was near the best of all lately. If only
        the best of all were searched again, every other hidden layout would be at a disadvantage.
        """
        near = self.scored[0][0] + SEARCH.anew
        best: dict[Hashable, float] = {}
        for total_cost, hypothesis in self.scored:
            hidden = self._cache.hidden(hypothesis.state)
            first = best.setdefault(hidden, total_cost)
            if first <= near:
                self._near_at[hidden] = t
            if total_cost <= first + SEARCH.anew and self._near_at.get(hidden, -inf) > t - LATELY_S:
                yield hypothesis

    def reconsidering(self, steps: int) -> Self:
        """A beam that will search the last `steps` steps of every hypothesis again."""
        twin = self.copy()
        hypotheses = [hypothesis for _, hypothesis in self.scored]
        twin.scored += [
            (self.total_cost(hypothesis), hypothesis)
            for hypothesis in _before(hypotheses, self._waiting(), self._published_at, self.settled, steps)
        ]
        twin.pending = True
        return twin

    def total_cost(self, hypothesis: Hypothesis[S, A]) -> float:
        """Cost of a hypothesis and of everything it leaves unexplained, in nats."""
        return self._search.total_cost(hypothesis)

    def mismatch(self, state: S) -> float:
        """Cost of what lies otherwise than a state predicts, in nats."""
        return self._search.mismatch(state)

    def unexplained(self, t: float) -> float:
        """Cost (nats) at `t` (s) of what the best hypothesis leaves unexplained.

        Waiting claims do not count, nor do signs that its state already explains.
        """
        return clutter_cost(self._unknown(), t, self.best.used) + self.mismatch(self.best.state)

    def astray(self, t: float) -> float:
        """The same without detections that cancel each other: after these the table is as it was before."""
        unknown, used = self._unknown(), self.best.used
        pairs = cancelled_pairs(one for one in unknown if one.id not in used)
        cancelled = {one.id for pair in pairs for one in pair}
        left = [one for one in unknown if one.id not in cancelled]
        return clutter_cost(left, t, used) + self.mismatch(self.best.state)

    def _unknown(self) -> list[Detection]:
        """The detections that the state of the best hypothesis does not explain by itself."""
        state = self.best.state
        if state is not self._known_to:
            self._known_to, self._known = state, {}
        known = self._known
        for sign in {one.sign for one in self.sensed.detections}.difference(known):
            known[sign] = sign.verb in CLAIMS or self._game.already_known(state, sign)
        return [one for one in self.sensed.detections if not known[one.sign]]

    def learn(self, t: float, cost_of: Callable[[Hypothesis[S, A]], float]) -> None:
        """Players said at `t` (s) what was done: add `cost_of` (nats) to each hypothesis."""
        if all(hypothesis is not self.published for _, hypothesis in self.scored):
            self.published = self.published.charged(cost_of(self.published))
        left = SEARCH.otherwise
        for total_cost, hypothesis in list(self.scored):
            for more, one in (
                hypothesis.otherwise(min(left, SEARCH.otherwise_each)) if cost_of(hypothesis) else ()
            ):
                left -= 1
                if not cost_of(one):
                    self.scored.append((total_cost + more, one))
                    break
        self.charge(cost_of)
        self._published_at = t

    def charge(self, cost_of: Callable[[Hypothesis[S, A]], float]) -> None:
        """Add `cost_of` (nats) to each hypothesis."""
        self._charge([cost_of(hypothesis) for _, hypothesis in self.scored])
        self.scored.sort(key=lambda one: one[0])
        self.pending = True

    def _waiting(self) -> set[int]:
        return {detection.id for detection in self.sensed.detections}

    def _contradiction_costs(self, t: float, zones: Collection[str]) -> list[float]:
        """Cost (nats) of each hypothesis for what contradicts it at `t` (s); `zones` are about to change."""
        return [
            max(
                sum(self._search.passed(hypothesis, zone) for zone in sorted(zones)),
                min(COSTS.lingering_most, COSTS.lingering * self._search.lingering(hypothesis.state, t)),
            )
            for _, hypothesis in self.scored
        ]

    def _charge(self, costs: Iterable[float]) -> None:
        changed = [
            (total_cost + cost, hypothesis.charged(cost))
            for (total_cost, hypothesis), cost in zip(self.scored, costs, strict=True)
        ]
        self._become(changed)

    def _become(self, changed: ScoredHypotheses[S, A]) -> None:
        """Replace every hypothesis, in the same order."""
        for (_, old), (_, new) in zip(self.scored, changed, strict=True):
            if old is self.published:
                self.published = new
        self.scored = changed

    def _settle(self, t: float, done: Callable[[Detection], bool]) -> None:
        """Settle the detections that are `done`: hypotheses that do not explain them keep the clutter cost."""
        waiting = self.sensed.detections
        out = self.sensed.taken_out(done)
        if not out:
            return
        # Nobody will ever know what was moved there.
        lost = [one for one in out if one.sign.verb in SCALE_SIGNS and one.id not in self.published.used]
        self.sensed.outages.unexplained.update(one.sign.place for one in lost)
        undone = cancelled(lost)
        self.lost += [one for one in lost if one.id not in undone]
        left = self.sensed.detections
        ids = frozenset(detection.id for detection in waiting)
        uncaused_cost: dict[frozenset[int], float] = {}
        for _, hypothesis in self.scored:
            used = hypothesis.used & ids
            if used not in uncaused_cost:
                # The difference of two sums: of two detections that cancel each other one may still be open.
                uncaused_cost[used] = clutter_cost(waiting, t, used) - clutter_cost(left, t, used)
        self._become(
            [
                (total_cost, hypothesis.charged(uncaused_cost[hypothesis.used & ids]))
                for total_cost, hypothesis in self.scored
            ]
        )

    def _look_at_shown(self, t: float) -> None:
        """Correct every hypothesis by cards that were turned up."""
        for detection in self.sensed.detections:
            verb, place, kinds = detection.sign
            before = self.published.state
            subject = self._game.subject_at(before, place) if verb == Verb.CAME else None
            if subject is None:
                continue
            self.pending |= self.sensed.lay(t, detection)
            if detection.id in self._looked_at:
                continue
            if self._is_tile(before, subject, detection):
                self._tile_at[place] = detection.t
            if self._as_published(subject, detection):
                self.confirmed.append((place, detection.t))
            judged = self._game.already_known(before, detection.sign)
            claim = self._judged_since(detection.t - CLAIM.turned_up_s, subject) if judged else None
            if claim is not None and self._may_go_on(before, subject, detection):
                continue
            misread = claim is not None and self._may_be_misread(claim, before, subject, detection)
            tile = misread and self._tile_at.get(place, -inf) >= detection.t - CLAIM.turned_up_s
            if misread and not tile and t - detection.t < CLAIM.tile_s:
                continue
            if judged:
                self._looked_at.add(detection.id)
            if (judged and claim is None) or tile:
                continue
            wrong, _ = self._with_shown(0.0, self.published, subject, kinds)
            self._become(
                [
                    self._with_shown(total_cost, hypothesis, subject, kinds)
                    for total_cost, hypothesis in self.scored
                ]
            )
            _, self.published = self._with_shown(0.0, self.published, subject, kinds)
            if wrong > 0:
                self.misplaced.append(place)
            if claim is not None and self.published.state != before:
                self._published_at = detection.t
                shown = revealed(self._game, before, subject, kinds)
                verdict = shown.verdict if shown is not None else None
                self.turned.append(Turned(detection.t, subject, claim, verdict, before, self.published.state))

    def _as_published(self, subject: int, shown: Detection) -> bool:
        """Whether just the cards were turned up at a subject (from 0) that were published before the first of
        them was seen, and all were known."""
        _, place, kinds = shown.sign
        last, before = self._before_shown.get(place, (-inf, self.published.state))
        if shown.t - last > CLAIM.turned_up_s:
            before = self.published.state
        self._before_shown[place] = max(last, shown.t), before
        if len(kinds) != len(self._game.hidden_layout(before).get(place, ())):
            return False
        found, verdict = revealed(self._game, before, subject, kinds), self._game.judge(before, subject).verdict
        same = found is not None and not found.wrong and found.state == before
        known = found is not None and found.all_known and found.verdict in (None, verdict)
        return same and known and self.sensed.all_shown(shown)

    def _may_go_on(self, state: S, subject: int, fan: Detection) -> bool:
        """Whether cards turned up after a verdict prove the claim for now, and more may follow.

        So it is where nothing weighs them and they are just as many as a state has there, until they have lain
        there for a while, or her tile lies there.
        """
        _, place, kinds = fan.sign
        shown = revealed(self._game, state, subject, kinds)
        all_there = len(kinds) == len(self._game.hidden_layout(state).get(place, ()))
        if shown is None or shown.verdict is not Verdict.PROVED or not all_there or self.sensed.weighs(place):
            return False
        later = {
            one.sign.kinds for one in self.sensed.detections if one.sign[:2] == fan.sign[:2] and one.id > fan.id
        }
        found = [revealed(self._game, state, subject, one) for one in later if len(one) < len(kinds)]
        if any(one is not None and one.verdict is Verdict.PROVED for one in found):
            return False
        return fan.id not in self.sensed.lain

    def _may_be_misread(self, claim: Step[S, A], state: S, subject: int, fan: Detection) -> bool:
        """Whether a single turned up card speaks against a claim about a subject (from 0) that was proved: what
        the players saw outweighs one sticker."""
        shown = revealed(self._game, state, subject, fan.sign.kinds)
        against = shown is not None and shown.verdict is Verdict.REFUTED and shown.wrong <= 1
        return against and verdict_said(self._game, subject, claim) is Verdict.PROVED

    def _is_tile(self, state: S, subject: int, shown: Detection) -> bool:
        """Whether something else than all the cards of a subject (from 0) proves its claim: players lay it
        there."""
        _, place, kinds = shown.sign
        found = revealed(self._game, state, subject, kinds)
        lying = self._game.hidden_layout(state).get(place, ())
        return found is not None and found.verdict is Verdict.PROVED and 0 < len(kinds) < len(lying)

    def _judged_since(self, since: float, subject: int) -> Step[S, A] | None:
        """The claim about a subject (from 0) that was judged after `since` (s), if there is one."""
        lately = takewhile(
            lambda step: step.t > since,
            (hypothesis.step for hypothesis in self.published.back() if hypothesis.step),
        )
        return next(
            (step for step in lately if (self._game.claim_of(step.action) or (None,))[0] == subject), None
        )

    def _with_shown(
        self, total_cost: float, hypothesis: Hypothesis[S, A], subject: int, kinds: tuple[str, ...]
    ) -> tuple[float, Hypothesis[S, A]]:
        shown = revealed(self._game, hypothesis.state, subject, kinds)
        if shown is None or shown.state == hypothesis.state:
            return total_cost, hypothesis
        self.pending = True
        cost = COSTS.wrong_face * shown.wrong
        return total_cost + cost, replace(hypothesis, state=shown.state).charged(cost)


def _longer(step: Step[Any, Any]) -> float:
    """Time (s) for which a step is searched again longer than others: its card may be in a hand, or no sign
    tells when it was done."""
    verbs = {one.sign.verb for one in step.used}
    return (
        PEOPLE.held_s
        if Verb.LIFT in verbs and Verb.PUT not in verbs
        else 0.0
        if verbs
        else DETECTIONS.undated_s
    )


def _before(
    hypotheses: Iterable[Hypothesis[S, A]],
    waiting: Collection[int],
    since: float,
    settled: int,
    most: int = SEARCH.steps_at_once,
) -> list[Hypothesis[S, A]]:
    """The ancestors of `hypotheses` without their last few steps, as far as these are younger than `since` (s)
    and come after the first `settled` ones.

    Detections that these steps explained and that are settled become clutter. Of several chains from an
    ancestor the one that was contradicted least counts.
    """
    found: dict[int, Hypothesis[S, A]] = {}
    for last in hypotheses:
        uncaused = 0.0
        for hypothesis in islice(last.back(), most):
            if hypothesis.step is None or hypothesis.parent is None or hypothesis.depth <= settled:
                break
            if hypothesis.step.t <= since - _longer(hypothesis.step):
                break
            uncaused += sum(
                SIGN_MODELS[one.sign.verb].clutter_nats for one in hypothesis.step.used if one.id not in waiting
            )
            again = hypothesis.parent.charged(last.uncaused_cost - hypothesis.parent.uncaused_cost + uncaused)
            known = found.get(id(hypothesis.parent), again)
            found[id(hypothesis.parent)] = min(known, again, key=lambda one: one.cost)
    return list(found.values())
