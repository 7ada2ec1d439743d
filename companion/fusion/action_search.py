"""The search: extends hypotheses by legal actions, cheapest first, until they explain what was sensed."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from math import inf
from typing import Any, Generic, TypeVar

from companion.fusion.association import Association, Associator, OpenDetections
from companion.fusion.clutter import clutter_cost, doubted, is_young
from companion.fusion.detections import FELT, Detection, SensedTable
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.search import SEARCH, WORK
from companion.fusion.parameters.sensors import CAMERA, SCALES
from companion.fusion.parameters.sign_models import (
    CHECK_SIGNS,
    MOVED_ON,
    SCALE_SIGNS,
    SIGN_MODELS,
    UNDETECTED,
)
from companion.fusion.pruning import ScoredHypotheses, pruned
from companion.fusion.recorded_steps import RecordedSteps
from companion.fusion.search_run import Group, Root, SearchRun, Story
from companion.fusion.transition_cache import CachedState, Transition, TransitionCache
from companion.fusion.work_budget import WorkBudget
from companion.games.appearance import Expectation
from companion.games.hidden_cards import AskableFact
from companion.games.signs import UNKNOWN_KIND, Sign, Verb
from companion.games.table_game import TableGame, askable_fact

S = TypeVar("S")
A = TypeVar("A")


class Search(Generic[S, A]):
    """Explains what `sensed` holds, by the rules of `game`.

    `allowed`: whether an action may follow a hypothesis at all (claims wait for their verdict).
    `cache`, `budget` and `recorded` may be shared with other searches of the same game. A search that has used
    up the budget goes on in the next batch.
    """

    def __init__(
        self,
        game: TableGame[S, A],
        sensed: SensedTable,
        allowed: Callable[[Hypothesis[S, A], A], bool],
        cache: TransitionCache[S, A],
        budget: WorkBudget | None = None,
        recorded: RecordedSteps[S, A] | None = None,
    ) -> None:
        self._game = game
        self._recorded = recorded if recorded is not None else RecordedSteps()
        self._sensed = sensed
        self._allowed = allowed
        self._cache = cache
        self._budget = budget or WorkBudget()
        self._running: SearchRun[S, A] | None = None
        self._mismatches: dict[CachedState[S, A], float] = {}
        """State -> cost (nats) of what lies otherwise, since the last search began."""
        self._views: dict[int, float] = {}
        """The id of an expected view -> the same cost, within one search: states that differ in hidden cards
        share a view. `_mismatches` keeps the views."""
        self._facts: dict[int, tuple[Step[S, A], AskableFact | None]] = {}
        """The id of a step -> the step, and what players are asked about it."""
        self.looked = 0
        """Hypotheses expanded so far."""
        self._now = 0.0
        self._young: set[str] = set()
        """Stations whose count changed a moment ago: it may change back."""

    def explain(self, t: float, roots: Sequence[Hypothesis[S, A]]) -> ScoredHypotheses[S, A]:
        """The cheapest hypotheses that start from `roots` (best first), the roots themselves among them."""
        self._mismatches.clear()
        self._views.clear()
        self._facts.clear()
        self._cache.forget()
        self._now = t
        # What a scale shows after a hand has left it is final.
        self._young = {
            detection.sign.place
            for detection in self._sensed.detections
            if detection.sign.verb in SCALE_SIGNS
            and is_young(detection, t)
            and self._sensed.covered.get(detection.sign.place, -inf) <= detection.t
        }
        associator = Associator(self._sensed, t, self._budget)
        run = self._running = SearchRun(t, associator, self._cache)
        found, queue = run.found, run.queue
        for root in roots:
            cached, waiting = self._cache.at(root.state), associator.waiting(root.used)
            total_cost = root.cost + waiting.cost + self._unlikely(cached)
            least, known = found.get((cached, waiting), (inf, None))
            if known is not None and self._differ(known, root):
                self._merge(known, root, total_cost - least)
            if total_cost < least:
                found[cached, waiting] = (total_cost, root)
                run.best = min(run.best, total_cost)
        # A new detection is often a late sign of the best one's last step. It would be explained by an action
        # more if the search ended before it came to where that step began.
        best, again = roots[0], roots[0].parent
        for (cached, waiting), (total_cost, root) in found.items():
            group = queue.group(self._cache.hidden_of(cached))
            group.begin(Root(total_cost, root, cached, waiting))
            rank = _rank(root, total_cost)
            if again is not None and root.state is again.state and root.used == again.used:
                rank = min(rank, _rank(best, self.total_cost(best)))
            queue.push(rank, group, root, cached, waiting)
        return self._go_on(run)

    @property
    def unfinished(self) -> bool:
        """Whether the budget ended before the search did."""
        return self._running is not None

    def go_on(self) -> ScoredHypotheses[S, A] | None:
        """What an unfinished search has found once it went on; None if there is none. What is sensed must not
        have changed."""
        self._views.clear()
        return None if self._running is None else self._go_on(self._running)

    def _go_on(self, run: SearchRun[S, A]) -> ScoredHypotheses[S, A]:
        while not self._budget.spent:
            entry = run.queue.pop(run.turn) if run.turn < SEARCH.max_expansions else None
            if entry is None:
                if self._carry_over(run):
                    self._running = None
                break
            run.turn += 1
            if entry[0].cost <= run.limit and run.found[entry[1], entry[2]][1] is entry[0]:
                self._expand(run, *entry)
        self._budget.left -= WORK.chosen_from * len(run.found)
        return pruned(run.found, run.best, self._cache)

    def _expand(
        self,
        run: SearchRun[S, A],
        hypothesis: Hypothesis[S, A],
        cached: CachedState[S, A],
        waiting: OpenDetections,
        group: Group[S, A],
    ) -> None:
        """Extend one hypothesis by every action that is proposed."""
        t, associator, found, limit = run.t, run.associator, run.found, run.limit
        self.looked += 1
        work = WORK.expanded
        unseen = COSTS.unseen if self._unseen(t, hypothesis.step, associator) else 0.0
        checks = self._unseen_checks(hypothesis.step)
        for action in self._proposed(hypothesis, waiting):
            work += WORK.tried
            transition = self._cache.transition(cached, action)
            if transition is None:
                continue
            for association in associator.associations(waiting, transition.signs):
                work += WORK.followed
                step_cost = association.cost + association.late(hypothesis.at) + unseen
                if checks and association.used:
                    step_cost += sum(self._not_away(check, association.first_by) for check in checks)
                    step_cost += COSTS.hasty if association.hasty(hypothesis.at) else 0.0
                if association.first_by < hypothesis.at and _swept_later(hypothesis, association.used):
                    continue
                cost = hypothesis.cost + step_cost
                if cost > limit:
                    continue
                left = associator.after(waiting, association)
                key = (transition.after, left)
                total_cost = cost + left.cost + self._unlikely(transition.after)
                least, known = found.get(key, (inf, None))
                if known is not None and not self._differ(known, hypothesis, action):
                    if least <= total_cost:
                        continue
                    known = None
                if not self._allowed(hypothesis, action):
                    continue
                child = _stepped(t, hypothesis, action, transition, association, step_cost)
                if known is not None:
                    self._merge(known, child, total_cost - least)
                if least <= total_cost:
                    continue
                found[key] = (total_cost, child)
                group.add(total_cost, child)
                if total_cost < run.best:
                    run.best = total_cost
                    limit = run.limit
                run.queue.push(_rank(child, total_cost), group, child, *key)
        self._budget.left -= work

    def _proposed(self, hypothesis: Hypothesis[S, A], waiting: OpenDetections) -> Iterable[A]:
        """The actions that may have been done next; of a journal that is read back, those that it recorded."""
        if not self._recorded.followed:
            return self._possible(hypothesis, waiting)
        recorded = self._recorded.after(hypothesis.state)
        return [one for one in self._possible(hypothesis, waiting) if one in recorded] if recorded else ()

    def _possible(self, hypothesis: Hypothesis[S, A], waiting: OpenDetections) -> Iterable[A]:
        """The actions that the game proposes next."""
        signs = waiting.signs
        for place, came in hypothesis.arrived:
            if self._now - came < COSTS.righted_s and Sign(Verb.LIFT, place) in signs:
                signs = (*signs, Sign(MOVED_ON, place))
        return self._game.propose(hypothesis.state, self._sensed.lying, self._sensed.told_counts, signs)

    def _carry_over(self, run: SearchRun[S, A]) -> bool:
        """Try the best steps of one hidden layout with the others; whether the budget was enough for all.

        A search ends before it has tried everything. What it found with one layout alone would be evidence for
        that layout, though the others explain it as well.
        """
        for group, root, story in run.untried:
            self._follow(run, group, root, story)
            if self._budget.spent:
                return False
        return True

    def _follow(self, run: SearchRun[S, A], group: Group[S, A], root: Root[S, A], story: Story[S, A]) -> None:
        """Take the steps of a story from another root, as far as they leave the same signs there."""
        _, hypothesis, cached, waiting = root
        for one, signs in story.steps:
            step = one.step
            if step is None or not self._allowed(hypothesis, step.action):
                return
            there = self._cache.transition(cached, step.action)
            self._budget.left -= WORK.layout_tried
            # Rules accept more than anybody does: that a card turns out to be another one than is known.
            if there is None or there.signs != signs:
                return
            if step.action not in self._proposed(hypothesis, waiting):
                return
            hypothesis = one.taken_from(hypothesis, cached.state, there.after.state)
            cached, waiting = there.after, run.associator.waiting(hypothesis.used)
            total_cost = hypothesis.cost + waiting.cost + self._unlikely(cached)
            least, _ = run.found.get((cached, waiting), (inf, None))
            if total_cost < least:
                run.found[cached, waiting] = (total_cost, hypothesis)
                group.add(total_cost, hypothesis)
                run.best = min(run.best, total_cost)

    def _merge(self, known: Hypothesis[S, A], new: Hypothesis[S, A], extra: float) -> None:
        """Keep the dearer of two hypotheses for one state in the cheaper one, which is followed.

        `extra`: cost (nats) of the new one above that of the known one.
        """
        kept, lost = (known, new) if extra >= 0 else (new, known)
        merged = kept.merged
        merged.append((abs(extra), lost))
        merged.sort(key=lambda one: one[0])
        for n, (_, other) in enumerate(merged):
            if any(not self._differ(before, other) for _, before in merged[:n]):
                del merged[n]
                break
        del merged[SEARCH.merged :]

    def _differ(self, one: Hypothesis[S, A], other: Hypothesis[S, A], action: A | None = None) -> bool:
        """Whether two hypotheses, the other one with an action more, differ in what players are asked about."""
        extra: dict[AskableFact | None, int] = {}
        if action is not None:
            extra[self._asked(other.state, action)] = -1
        while one.step is not other.step:
            if one.depth >= other.depth and one.step is not None and one.parent is not None:
                fact, n, one = self._asked_of(one.step), 1, one.parent
            elif other.step is not None and other.parent is not None:
                fact, n, other = self._asked_of(other.step), -1, other.parent
            else:
                break
            extra[fact] = extra.get(fact, 0) + n
        extra[None] = 0
        return any(extra.values())

    def _asked_of(self, step: Step[S, A]) -> AskableFact | None:
        known = self._facts.get(id(step))
        if known is None:
            known = self._facts[id(step)] = step, self._asked(step.before, step.action)
        return known[1]

    def _asked(self, state: S, action: A) -> AskableFact | None:
        """What players are asked about an action; None if nothing."""
        return None if self._game.claim_of(action) is not None else askable_fact(self._game, state, action)

    def total_cost(self, hypothesis: Hypothesis[S, A]) -> float:
        """Cost of a hypothesis and of everything it leaves unexplained, in nats."""
        return (
            hypothesis.cost
            + clutter_cost(self._sensed.detections, self._now, hypothesis.used)
            + self.mismatch(hypothesis.state)
        )

    def mismatch(self, state: S) -> float:
        """Cost of everything that lies otherwise than the state predicts, in nats; 0 when all agrees."""
        cached = self._cache.at(state)
        known = self._mismatches.get(cached)
        if known is None:
            self._budget.left -= WORK.compared
            known = self._mismatches[cached] = self._unlike_view(cached.expected)
        return known

    def _unlikely(self, cached: CachedState[S, A]) -> float:
        """The mismatch of a state that a search came to."""
        known = self._mismatches.get(cached)
        if known is None:
            self._budget.left -= WORK.compared
            view = id(cached.expected)
            known = self._views.get(view)
            if known is None:
                known = self._views[view] = self._unlike_view(cached.expected)
            self._mismatches[cached] = known
        return known

    def _unlike_view(self, expected: Expectation) -> float:
        """Cost of everything that lies otherwise than expected, in nats."""
        counts, cost = self._sensed.told_counts, 0.0
        for zone, seen in self._sensed.zones.items():
            if zone in expected.zones or zone in expected.tops:
                cost += self._unlike(expected, zone, seen)
        for station, n in expected.counts.items():
            on_it = counts.get(station)
            if on_it is not None and on_it != n:
                young = abs(on_it - n) == 1 and station in self._young
                # A whole pile may be off its scale while it is turned up: one event, not one for each card.
                cost += COSTS.young if young else COSTS.wrong_count * min(abs(on_it - n), SCALES.most_surprised)
        for zone, n in expected.face_down.items():
            lying = None if self._sensed.lies(zone) else self._sensed.unread.get(zone)
            if lying is not None and lying != n:
                cost += COSTS.wrong_back * abs(lying - n)
        return cost

    def lingering(self, state: S, t: float) -> float:
        """The part of the mismatch (nats) that was there `CAMERA.lingers_s` before `t` (s) already.

        An action shows in one zone after another. What contradicts only in between would count against the
        hypotheses there are, and not against those that are found just after.
        """
        cost = self.mismatch(state)
        if cost == 0.0:
            return 0.0
        expected = self._cache.at(state).expected
        since = t - CAMERA.lingers_s
        fresh = (
            self._unlike(expected, zone, seen)
            for zone, seen in self._sensed.zones.items()
            if (zone in expected.zones or zone in expected.tops)
            and self._sensed.changed.get(zone, -inf) > since
        )
        return max(0.0, cost - sum(fresh))

    def passed(self, hypothesis: Hypothesis[S, A], zone: str) -> float:
        """Permanent cost (nats) of a view of a zone that contradicted the hypothesis and is about to change."""
        seen = self._sensed.zones.get(zone)
        if seen is None:
            return 0.0
        expected = self._cache.at(hypothesis.state).expected
        return min(COSTS.fumbled, self._unlike(expected, zone, seen))

    def _unlike(self, expected: Expectation, zone: str, seen: tuple[str, ...]) -> float:
        """Cost of what a zone shows, in nats."""
        rests = self._sensed.rests(zone, self._now)
        begun = zone in expected.begun and not rests
        doubt = self._sensed.doubt.get(zone, 0.0)
        return _unlike(expected, zone, seen, begun, self._unread(expected, zone), rests, doubt)

    def _unread(self, expected: Expectation, zone: str) -> int:
        """How many more cards lie unread in a zone than should; 0 where they are not counted."""
        if not self._sensed.lies(zone):
            return 0
        return self._sensed.unread.get(zone, 0) - expected.face_down.get(zone, 0)

    def _unseen_checks(self, step: Step[S, A] | None) -> tuple[tuple[str, float], ...]:
        """For a check without any detection: (source that would have told, extra cost in nats if it worked)."""
        if step is None or step.used:
            return ()
        signs = (verb for verb, _, _ in self._game.signs(step.before, step.action) if verb in CHECK_SIGNS)
        return tuple((CHECK_SIGNS[verb], max(0.0, SIGN_MODELS[verb].missed_nats - step.cost)) for verb in signs)

    def _not_away(self, check: tuple[str, float], before: float) -> float:
        """Cost (nats) of a check without a detection that was excused by an outage, if the check was made
        `before` (s) the outage began."""
        source, cost = check
        return cost if before < self._sensed.away[source] else 0.0

    def _unseen(self, t: float, step: Step[S, A] | None, associator: Associator) -> bool:
        """Whether a step added at `t` (s) has no detection although no hand rests where it was done."""
        if step is None or step.t != t or step.used:
            return False
        signs = self._game.signs(step.before, step.action)
        return not associator.covered(signs, FELT) and all(verb not in UNDETECTED for verb, _, _ in signs)


def _rank(hypothesis: Hypothesis[Any, Any], total_cost: float) -> float:
    """What decides which hypothesis is expanded next, in nats."""
    return hypothesis.cost + SEARCH.open_weight * (total_cost - hypothesis.cost)


def _stepped(
    t: float,
    hypothesis: Hypothesis[S, A],
    action: A,
    transition: Transition[S, A],
    association: Association,
    step_cost: float,
) -> Hypothesis[S, A]:
    """The hypothesis one action further."""
    after = transition.after.state
    # After a late sign, order is judged against what came before it. A card is read on the pad while it moves:
    # that it is known then says nothing of the order of its signs.
    read = not association.used or transition.on_pad
    at = hypothesis.at if read else association.last_from
    step = Step(t, hypothesis.state, action, after, association.used, step_cost)
    ids = hypothesis.used | association.ids if association.used else hypothesis.used
    return Hypothesis(
        after,
        hypothesis.cost + step_cost,
        hypothesis.uncaused_cost,
        ids,
        at,
        step,
        hypothesis,
        hypothesis.depth + 1,
        arrived=_arrived(t, hypothesis, transition, association),
    )


def _arrived(
    t: float, hypothesis: Hypothesis[S, A], transition: Transition[S, A], association: Association
) -> tuple[tuple[str, float], ...]:
    """Where cards were moved to lately, after one action more."""
    if len(association.used) < len(SCALE_SIGNS):  # most actions leave no sign of both scales
        return hypothesis.arrived
    moved = {one.sign.verb: one.sign.place for one in association.used}
    felt = any(verb == Verb.ON_PAD for verb, _, _ in transition.signs)
    if felt or Verb.LIFT not in moved or Verb.PUT not in moved:
        return hypothesis.arrived
    over = {moved[Verb.PUT], moved[Verb.LIFT] if transition.signs[-1][0] == MOVED_ON else ""}
    return (*(one for one in hypothesis.arrived if one[0] not in over), (moved[Verb.PUT], t))


def _swept_later(hypothesis: Hypothesis[S, A], used: Sequence[Detection]) -> bool:
    """Whether a zone that these detections cleared was cleared again by one of the last steps: what one camera
    sees of one zone is in order."""
    cleared = [one for one in used if one.sign.verb == Verb.LEFT]
    return any(
        later.sign[:2] == one.sign[:2] and later.t > one.t
        for one in cleared
        for before in islice(hypothesis.back(), SEARCH.looked_back)
        if before.step is not None
        for later in before.step.used
    )


def top_fits(seen: tuple[str, ...], admitted: frozenset[str]) -> bool:
    """Whether the top of a pile is one of the admitted kinds; an empty pile shows nothing."""
    return not admitted.isdisjoint(seen) if admitted else not seen


def _unlike(
    expected: Expectation,
    zone: str,
    seen: tuple[str, ...],
    begun: bool,
    unread: int,
    rests: bool,
    doubt: float,
) -> float:
    """Cost of what a zone shows, in nats; see `differs`."""
    kinds = expected.zones.get(zone)
    if kinds is None:
        admitted = expected.tops.get(zone)
        if admitted is None or top_fits(seen, admitted):
            return 0.0
        return COSTS.unread_top if UNKNOWN_KIND in admitted else doubted(COSTS.wrong_top, doubt)
    return 0.0 if seen == kinds and not unread else differs(kinds, seen, begun, unread, rests, doubt)


@lru_cache(maxsize=1 << 12)
def differs(
    due: tuple[str, ...], seen: tuple[str, ...], begun: bool, unread: int, rests: bool, doubt: float
) -> float:
    """Cost (nats) of cards too many or missing; of an action that has `begun` more may lie there. `unread`
    cards more than due (or fewer, if negative) cannot be read; each may be one that is missing. Where all
    cards are counted and nothing is laid any more (`rests`), none is hidden. `doubt`: see SensedTable."""
    more = (Counter(seen) - Counter(due)).total()
    missing = (Counter(due) - Counter(seen)).total()
    stray = max(0, unread - missing)
    strange = doubted(COSTS.strange_card, doubt) * more + COSTS.wrong_back * stray
    if begun:
        strange = min(SEARCH.most_begun, more + stray) * COSTS.begun
    hidden = COSTS.hidden_card * (missing + max(0, -unread))
    if rests:
        hidden += (COSTS.uncounted_card - COSTS.hidden_card) * max(0, missing - max(0, unread))
    return strange + (hidden if seen or unread else min(hidden, COSTS.hidden_zone))
