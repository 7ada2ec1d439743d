"""The publisher: publishes as much of the best hypothesis as is clear, and revokes what was wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Generic

from companion.fusion.beam import Beam
from companion.fusion.hypothesis import Hypothesis, Step, alike
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.people import PEOPLE
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.search import PUBLISHING, SEARCH
from companion.fusion.parameters.sensors import CAMERA
from companion.fusion.parameters.sign_models import MOVED_ON
from companion.fusion.recorded_steps import RecordedSteps
from companion.games.rules import A, S
from companion.games.signs import Verb
from companion.games.table_game import TableGame


@dataclass(frozen=True, slots=True)
class Change(Generic[S, A]):
    """What a batch changed: a state taken over, actions revoked (newest first), then actions published.

    Of a state that a person took over: `lost` are the numbers of hidden cards that are unknown now, and `open`
    says what is not known.
    """

    revoked: tuple[Step[S, A], ...] = ()
    steps: tuple[Step[S, A], ...] = ()
    adopted: S | None = None
    lost: tuple[int, ...] = ()
    open: tuple[str, ...] = ()


class Publisher(Generic[S, A]):
    """The published state and the steps that led to it."""

    def __init__(self, game: TableGame[S, A], state: S, recorded: RecordedSteps[S, A]) -> None:
        self.state = state
        """The published state: the one after `steps`."""
        self.steps: list[Step[S, A]] = []
        self._game = game
        self._recorded = recorded
        self.settled = 0
        """Number of steps, from the first, that a person settled and that are never revoked."""

    def publish(self, t: float, beam: Beam[S, A], unexplained: float) -> Change[S, A]:
        """Publish as much of the best hypothesis of `beam` as is clear at `t` (s).

        `unexplained`: cost (nats) of what it leaves unexplained.
        """
        best_cost, best = _to_publish(beam)
        if unexplained >= PUBLISHING.nonsense:
            return Change()
        fresh, common = self._fresh(beam, best)
        revoked = self.steps[common:]
        if not revoked and not fresh:
            return Change()
        lasting = t - beam.leading[1] >= CLAIM.lasting_s
        if revoked and (
            _just_swept(t, beam, best)
            or not self._may_revoke(beam, common, best_cost, replaced=bool(fresh), lasting=lasting)
        ):
            return Change()
        steps = self._clear_steps(t, beam, fresh, best_cost, lasting=lasting)
        if not steps and (not revoked or fresh):
            return Change()
        if not fresh:
            beam.published = best
        del self.steps[common:]
        self.steps += steps
        self.state = beam.published.state
        return Change(tuple(reversed(revoked)), tuple(steps))

    def _fresh(self, beam: Beam[S, A], best: Hypothesis[S, A]) -> tuple[list[Hypothesis[S, A]], int]:
        """The steps of a hypothesis that are not published, newest first, and how many published ones stay."""
        fresh: list[Hypothesis[S, A]] = []
        common = 0
        for hypothesis in best.back():
            if hypothesis.depth <= len(self.steps) and self.steps[hypothesis.depth - 1] is hypothesis.step:
                common = hypothesis.depth
                break
            fresh.append(hypothesis)
        while fresh and common < len(self.steps) and alike(fresh[-1].step, self.steps[common]):
            # The same action from other detections is not new.
            hypothesis = fresh.pop()
            assert hypothesis.step is not None
            self.steps[common] = hypothesis.step
            common += 1
            if common == len(self.steps):
                beam.published = hypothesis
        return fresh, common

    def _may_revoke(
        self, beam: Beam[S, A], common: int, best_cost: float, *, replaced: bool, lasting: bool
    ) -> bool:
        """Whether published steps after the first `common` ones may be revoked; `replaced`: by other steps."""
        if common < self.settled:
            return False
        lead = beam.total_cost(beam.published) - best_cost
        # Cards out of sight for a moment revoke nothing: something else must have been done.
        return lead >= PUBLISHING.revise_margin and (
            lasting or (replaced and lead >= PUBLISHING.revise_at_once)
        )

    def _clear_steps(
        self, t: float, beam: Beam[S, A], fresh: Sequence[Hypothesis[S, A]], best_cost: float, *, lasting: bool
    ) -> list[Step[S, A]]:
        """The steps of `fresh` that lead every rival by enough, oldest first: they are published now."""
        steps = []
        for hypothesis in reversed(fresh):
            step = hypothesis.step
            assert step is not None
            rival = min(
                (
                    total_cost
                    for total_cost, other in beam.scored
                    if not self._agrees(other, step, hypothesis.depth) and _shares_published(beam, other)
                ),
                default=best_cost + SEARCH.prune_nats,
            )
            if rival - best_cost < self._needed_lead(t, step, newest=hypothesis is fresh[0], lasting=lasting):
                break
            steps.append(step)
            beam.published = hypothesis
        return steps

    def _agrees(self, other: Hypothesis[S, A], step: Step[S, A], depth: int) -> bool:
        """Whether another hypothesis has a step at this depth; of a claim, at any depth near the end."""
        if other.holds(step, depth):
            return True
        if self._game.claim_of(step.action) is None:
            return False
        return any(one.action == step.action for one in islice(other.steps(), PUBLISHING.near_steps))

    def _needed_lead(self, t: float, step: Step[S, A], *, newest: bool, lasting: bool) -> float:
        """The lead (nats) over every rival that a step needs to be published."""
        if self._recorded.followed:
            return -inf if self._recorded.is_published(step.before, step.action) else inf
        if t - step.t < PEOPLE.irregular_s and self._irregular(step):
            return inf
        if newest and self._in_hand(t, step):
            return inf
        claimed = self._game.claim_of(step.action) is not None
        if claimed and all(detection.sign.verb != Verb.PRESS for detection in step.used):
            return PUBLISHING.unheard
        if t - step.t >= PUBLISHING.overdue_s:
            return 0.0
        if claimed or (lasting and not (_faint(step) and t - step.t < PUBLISHING.faint_s)):
            return COSTS.margin
        return PUBLISHING.passed if _faint(step) and not newest else COSTS.clear

    def _irregular(self, step: Step[S, A]) -> bool:
        """Whether the rules do not have what was done."""
        return any(
            verb in (Verb.IRREGULAR, MOVED_ON) for verb, _, _ in self._game.signs(step.before, step.action)
        )

    def _in_hand(self, t: float, step: Step[S, A]) -> bool:
        """Whether a scale has lost the card of a step a while ago, and none has gained it: where it goes is not
        known yet."""
        lifted = max((one.t for one in step.used if one.sign.verb == Verb.LIFT), default=-inf)
        if t - lifted >= PEOPLE.held_s:
            return False
        gained = {one.sign.place for one in step.used if one.sign.verb == Verb.PUT}
        return any(
            verb == Verb.PUT and place not in gained
            for verb, place, _ in self._game.signs(step.before, step.action)
        )

    def settle(self) -> None:
        """Never revoke a step that is published now."""
        self.settled = len(self.steps)

    def begin(self, state: S) -> None:
        """Start from a known state, whatever was published before."""
        self.steps.clear()
        self.settled = 0
        self.state = state

    def undo(self) -> Step[S, A] | None:
        """Revoke the last step for good; None if there is none."""
        if not self.steps:
            return None
        step = self.steps.pop()
        self.state = step.before
        firm = sum(step.t - one.t >= PEOPLE.provisional_s for one in self.steps)
        self.settled = max(min(self.settled, len(self.steps)), firm)
        return step


def _to_publish(beam: Beam[S, A]) -> tuple[float, Hypothesis[S, A]]:
    """The best hypothesis, or the best that continues the published one if that is about as good."""
    scored = beam.scored
    near = scored[0][0] + PUBLISHING.revise_margin
    return next((one for one in scored if one[0] < near and _shares_published(beam, one[1])), scored[0])


def _just_swept(t: float, beam: Beam[S, A], best: Hypothesis[S, A]) -> bool:
    """Whether the best hypothesis leaves open that a zone was cleared at last: what was done is known only when
    the cards lie elsewhere."""
    return any(
        one.sign.verb == Verb.LEFT and t - one.t < CAMERA.swept_s and one.id not in best.used
        for one in beam.sensed.detections
    )


def _shares_published(beam: Beam[S, A], other: Hypothesis[S, A]) -> bool:
    """Whether a hypothesis continues the published one; others would revoke something."""
    return beam.published.step is None or other.holds(beam.published.step, beam.published.depth)


def _faint(step: Step[S, A]) -> bool:
    return bool(step.used) and all(detection.sign.verb == Verb.REACH for detection in step.used)
