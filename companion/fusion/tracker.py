"""The tracker: keeps the few best explanations of what was seen, and tells the best when it is clear."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from companion.fusion.action_search import NARROW, Ranked, top_fits
from companion.fusion.beam import Belief
from companion.fusion.claims.contradiction import Contradiction, contradiction
from companion.fusion.claims.judge import LASTING_S, Judge, OpenClaim
from companion.fusion.claims.questions import Answered, Asked, Asker
from companion.fusion.detections import Evidence, Noted
from companion.fusion.hypothesis import Hypothesis, Step, alike
from companion.fusion.likelihood import CLEAR, MARGIN
from companion.fusion.smoother import Memory
from companion.games.api import UNKNOWN_KIND, Deed, Difference, TableGame, TakenOver
from companion.sensing.observation import Observation

S = TypeVar("S")
A = TypeVar("A")

NONSENSE = 30.0
"""While so much (nats) of what is seen has no explanation at all, nothing new is told."""
OVERDUE_S = 6.0
"""So long a choice between explanations that are equally good is put off; verdicts regard them all anyway."""
FAINT_S = 3.0
"""An action of which there is no more than a hand over a pile is told after so long."""
PASSED = 0.9
"""By how much (nats) it must be better than none when what was done after it shows already."""
REVISE_MARGIN, REVISE_AT_ONCE = 1.0, 2.0
"""What was told is taken back when another story is better by this much and stays so, or at once if that has
something else in its place."""

UNHEARD = 3.0
"""A claim whose button nobody heard is told when it is better than every other story by this much: beds are
turned up for other reasons too."""


@dataclass(frozen=True, slots=True)
class Change(Generic[S, A]):
    """What a batch changed: a state taken over, actions taken back (newest first), then actions believed.

    Of what a person took over, `lost` are the numbers of hidden cards that nobody knows any more, `open`
    says what is not known, and `undecided` are the beds (from 0) whose fate at the end is not known.
    """

    revoked: tuple[Step[S, A], ...] = ()
    steps: tuple[Step[S, A], ...] = ()
    adopted: S | None = None
    lost: tuple[int, ...] = ()
    open: tuple[str, ...] = ()
    undecided: frozenset[int] = frozenset()


class Tracker(Generic[S, A]):
    """Follows one game through what the sensors say. Knows the rules only through `TableGame`."""

    def __init__(self, game: TableGame[S, A], variant: str, state: S) -> None:
        self.game = game
        self.state = state
        """What is told: the state after `steps`."""
        self.steps: list[Step[S, A]] = []
        self.contradictions: list[Contradiction] = []
        """Verdicts that the cards contradicted when they were turned up, oldest first."""
        self._judge: Judge[S, A] = Judge(game)
        self._asker: Asker[S, A] = Asker(game)
        self.claim_waits = False
        """Whether the verdict on a claim waits for the answer to a question."""
        self.doubted: frozenset[str] = frozenset()
        """Sensors, by name, that were found to miss what happens: no claim is settled while there are any."""
        kinds = {card.code: card.kind for card in game.cards(variant)}
        textures: dict[str, tuple[str, ...]] = {}
        for card in game.cards(variant):
            if card.texture is not None:
                textures[card.texture] = tuple(sorted({card.kind, *textures.get(card.texture, ())}))
        evidence = Evidence(kinds, game.watched(variant), textures)
        self._belief: Belief[S, A] = Belief(game, evidence, Hypothesis(state), self._allows)
        self._memory: Memory[S, A] = Memory()
        self._undone: set[tuple[S, A]] = set()
        self._set_aside: list[Noted] = []
        """The traces of the step that was taken back last: the table may be right after all."""
        self.settled_from: S | None = None
        """What was told before a person settled what lies there, if nothing else was taken over since."""
        self._blind = False
        """Whether turns may have passed unseen before the table was taken over."""
        self._floor = 0
        """Steps before this were settled by a person: nothing behind them is taken back."""

    @property
    def evidence(self) -> Evidence:
        """What has been seen."""
        return self._belief.evidence

    @property
    def open_claims(self) -> list[OpenClaim]:
        """The claims that what is known cannot decide, the oldest first."""
        return self._judge.open_claims

    @property
    def asked(self) -> Asked | None:
        """The question that those at the table could answer."""
        return self._asker.asked

    @property
    def answers(self) -> Sequence[Answered]:
        """What those at the table have answered so far."""
        return self._asker.answers

    @property
    def explanations(self) -> Ranked[S, A]:
        """The hypotheses that are carried, each with its total in nats, the best first."""
        return self._belief.ranked

    def feed(self, t: float, observations: Sequence[Observation], *, hold: bool = False) -> Change[S, A]:
        """Take a batch of observations in and believe what explains them; with `hold`, only remember it."""
        belief = self._belief
        self._memory.add(t, observations)
        belief.take(t, observations)
        if belief.turned:
            self.contradictions += [contradiction(self.game, self.steps, one) for one in belief.turned]
            belief.turned.clear()
            self._memory = Memory()
        if hold:
            return Change()
        adopted = belief.told.state if belief.told.state != self.state else None
        self.state = belief.told.state
        if belief.pending:
            belief.rank(t, NARROW)
        if self._judge.decide(t, belief, self.state, self.doubted, asked=self.asked is not None):
            belief.rank(t, NARROW)
        if self._undone and belief.best.state == self.state and belief.total(belief.best) == belief.best.cost:
            self._undone.clear()  # the table agrees again: what follows is new
        self._belief = belief = self._memory.look_again(t, belief)
        belief.turned.clear()
        change = self._tell(t)
        self._ask(t)
        return replace(change, adopted=adopted) if adopted is not None else change

    def _ask(self, t: float) -> None:
        divided = self._judge.divided(t, self._belief, self.state)
        self._asker.consider(t, self._belief, claimed=divided)
        self.claim_waits = divided and self.asked is not None

    def _allows(self, evidence: Evidence, node: Hypothesis[S, A], action: A) -> bool:
        undone = self._undone and (node.state, action) in self._undone
        return (
            not undone
            and self._judge.admits(evidence, node, action)
            and not self._asker.denied(evidence, node.state, action)
        )

    def _tell(self, t: float) -> Change[S, A]:
        """Publish as much of the best explanation as is clear."""
        best_total, best = self._to_tell()
        if self._belief.unexplained(t) >= NONSENSE:
            return Change()
        fresh: list[Hypothesis[S, A]] = []
        common = 0
        for node in best.back():
            if node.depth <= len(self.steps) and self.steps[node.depth - 1] is node.step:
                common = node.depth
                break
            fresh.append(node)
        while fresh and common < len(self.steps) and alike(fresh[-1].step, self.steps[common]):
            # The same action for other reasons is no news.
            node = fresh.pop()
            assert node.step is not None
            self.steps[common] = node.step
            common += 1
            if common == len(self.steps):
                self._belief.told = node
        revoked = self.steps[common:]
        if not revoked and not fresh:
            return Change()
        lasting = t - self._belief.leading[1] >= LASTING_S
        if revoked:
            if common < self._floor:
                return Change()
            told = self._belief.total(self._belief.told)
            # Cards that are out of sight for a moment are not taken back: something else must have been done.
            at_once = bool(fresh) and told - best_total >= REVISE_AT_ONCE
            if told - best_total < REVISE_MARGIN or not (lasting or at_once):
                return Change()
        steps = []
        for node in reversed(fresh):
            step = node.step
            assert step is not None
            rival = min(
                (
                    total
                    for total, other in self._belief.ranked
                    if not other.holds(step, node.depth) and self._shares_told(other)
                ),
                default=best_total + NARROW.window,
            )
            claimed = self.game.claim_of(step.action) is not None
            sure = claimed or (lasting and not (_faint(step) and t - step.t < FAINT_S))
            if claimed and all(noted.trace[0] != "press" for noted in step.used):
                needed = UNHEARD
            else:
                clear = PASSED if _faint(step) and node is not best else CLEAR
                needed = 0.0 if t - step.t >= OVERDUE_S else MARGIN if sure else clear
            if rival - best_total < needed:
                break
            steps.append(step)
            self._belief.told = node
        if not steps and (not revoked or fresh):
            return Change()
        if not fresh:
            self._belief.told = best
        del self.steps[common:]
        self.steps += steps
        self.state = self._belief.told.state
        claims = [self.game.claim_of(step.action) for step in steps]
        self._judge.close({claim[0] for claim in claims if claim is not None})
        return Change(tuple(reversed(revoked)), tuple(steps))

    def _to_tell(self) -> tuple[float, Hypothesis[S, A]]:
        """The best explanation, or the best that goes on from what was told when that is about as good."""
        ranked = self._belief.ranked
        near = ranked[0][0] + REVISE_MARGIN
        return next((one for one in ranked if one[0] < near and self._shares_told(one[1])), ranked[0])

    def _shares_told(self, other: Hypothesis[S, A]) -> bool:
        """Whether a hypothesis has all of what was told; others speak for taking something back."""
        return self._belief.told.step is None or other.holds(self._belief.told.step, self._belief.told.depth)

    def settle(self) -> None:
        """Never take back a step that is published now."""
        self._floor = len(self.steps)

    def begin(self, state: S) -> None:
        """Start from a state that is known, whatever was told before; what was seen stays seen."""
        self.steps.clear()
        self._floor = 0
        self.state = state
        self.settled_from = None
        self._restart(Hypothesis(state))

    def _restart(self, told: Hypothesis[S, A]) -> None:
        """Only what was told counts from here on; what passed before has had its effect."""
        self.evidence.traces.clear()
        told = replace(told, state=self.state, cost=0.0, paid=0.0, used=frozenset(), at=float("-inf"))
        self._belief = Belief(self.game, self.evidence, told, self._allows)
        self._memory = Memory()

    def undo(self) -> Step[S, A] | None:
        """Take the last action back and do not believe it again from the same evidence."""
        if not self.steps:
            return None
        step = self.steps.pop()
        self.state = step.before
        self._undone.add((step.before, step.action))
        self._set_aside = list(step.used)
        self._floor = len(self.steps)
        self._restart(self._belief.told.parent or Hypothesis(step.before))
        return step

    def answer(self, t: float, deed: Deed, yes: bool) -> None:
        """Whether those at the table say, at `t` (s), that it was done; nothing if that makes no difference."""
        belief = self._belief
        known = self._asker.answer(t, belief, deed, yes)
        if known is not None:
            price = partial(self._asker.price, known, yes)
            belief.learn(t, price)
            if not yes:
                self._memory.without(belief, price)
            self._memory = Memory()
            # Those who wait for a verdict are asked on before it falls.
            belief.rank(t, NARROW)
            self._ask(t)

    def adopt(self, t: float) -> Change[S, A]:
        """What lies on the table is right: explain it, even by what was taken back, or else take it over.

        ValueError says what of it is impossible; then nothing has changed.
        """
        self._undone.clear()
        self.evidence.traces[:0] = self._set_aside
        self._set_aside = []
        self._belief.rank(t, NARROW)
        best = self._belief.best
        if not self.evidence.survey(t, best.used).moved and not self._belief.mismatch(best.state):
            self._belief.leading = (best.step, t - LASTING_S)
            if (change := self._tell(t)).steps:
                return change
        found = self.evidence.survey(t, self._belief.told.used)
        change = self._settled(self.game.adopt(self.state, found))
        self._blind = self.evidence.absences.blind(t)
        self.evidence.absences.settled()
        return change

    def begin_turn(self, t: float, player: int) -> Change[S, A]:
        """Somebody says at `t` (s) that a turn of `player` (from 0) begins; ValueError says why it cannot."""
        blind = self._blind or self.evidence.absences.blind(t)
        change = self._settled(TakenOver(self.game.at_turn(self.state, player, missed=blind)))
        self._blind = False
        return change

    def end(self, t: float) -> Change[S, A]:
        """Somebody says that the game is over as it lies there; ValueError says why it is not."""
        found = self.evidence.survey(t, self._belief.told.used)
        return self._settled(self.game.ended(self.state, found))

    def take_back(self) -> Change[S, A] | None:
        """Take back what a person settled last, if nothing was believed since."""
        if self.steps or self.settled_from is None:
            return None
        before = self.settled_from
        self.begin(before)
        return Change(adopted=before)

    def _settled(self, taken: TakenOver[S]) -> Change[S, A]:
        before = self.state
        self._judge.open_claims.clear()
        self.begin(taken.state)
        self.settled_from = before
        return Change(adopted=taken.state, lost=taken.lost, open=taken.open, undecided=taken.undecided)

    def differences(self) -> tuple[Difference, ...]:
        """What lies elsewhere than the state says, the open cards first; empty when all agrees."""
        expected = self.game.expected_view(self.state)
        found = []
        for zone, kinds in expected.zones.items():
            seen = self.evidence.zones.get(zone)
            if seen is not None and seen != kinds:
                more, less = Counter(seen) - Counter(kinds), Counter(kinds) - Counter(seen)
                found.append(Difference(zone, tuple(sorted(more.elements())), tuple(sorted(less.elements()))))
        for zone, admitted in expected.tops.items():
            seen = self.evidence.zones.get(zone)
            if seen is not None and UNKNOWN_KIND not in admitted and not top_fits(seen, admitted):
                found.append(Difference(zone, seen, tuple(sorted(admitted))[:1]))
        for station, n in expected.counts.items():
            on_it = self.evidence.counts.get(station)
            if on_it is not None and on_it != n:
                one = (UNKNOWN_KIND,)
                found.append(Difference(station, one, ()) if on_it > n else Difference(station, (), one))
        return tuple(found)


def _faint(step: Step[S, A]) -> bool:
    return bool(step.used) and all(noted.trace[0] == "reach" for noted in step.used)
