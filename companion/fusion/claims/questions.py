"""The one question that the table can answer: which of two deeds everybody saw really happened."""

from dataclasses import dataclass
from itertools import takewhile
from math import exp, inf, log
from typing import Generic, TypeVar

from companion.fusion.action_search import ScoredHypotheses
from companion.fusion.beam import Beam
from companion.fusion.claims.judge import VERDICT_LOG_ODDS, sure
from companion.fusion.detections import SensedTable
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.likelihood import DENIED
from companion.games.api import AskableFact, TableGame

S = TypeVar("S")
A = TypeVar("A")

ASK_AFTER_S, ASK_LATER_S = 18.0, 12.0
"""So long it is left to the sensors which of two explanations holds that are as likely, and so much longer for
each nat by which the other one is behind: most doubts end by what happens next."""
WORTH = 0.04
"""A doubt that is less likely than this, compared with what is believed, is asked about at a claim alone; on a
table where everything is likelier to be missed, any doubt on which a verdict rests is worth a question."""
CLAIMED_S = 2.0
"""The same when somebody waits for a verdict: a card in a hand is on its way."""
GIVEN_UP_S = 60.0
"""Nobody answers a question that has stood there for so long."""
TURNS = 12
"""Nobody remembers what was done more turns ago."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits for its answer: about which deed, and since when (s)."""

    t: float
    askable_fact: AskableFact


@dataclass(frozen=True, slots=True)
class Answered:
    """What those at the table said, and when (s)."""

    t: float
    askable_fact: AskableFact
    yes: bool


class QuestionPlanner(Generic[S, A]):
    """Watches the explanations, and asks once for each deed, when waiting has not told them apart."""

    def __init__(self, game: TableGame[S, A]) -> None:
        self.asked: OpenQuestion | None = None
        """What is asked now."""
        self.answers: list[Answered] = []
        """What was answered in this game, oldest first."""
        self._game = game
        self._open: dict[AskableFact, float] = {}
        """Deeds that only some explanations have, and since when that matters (s)."""
        self._done: set[AskableFact] = set()
        self._denied: dict[AskableFact, float] = {}
        """When it was said of which deeds that they had not been done by then (s)."""
        self._since: float | None = None
        """Since when the doubt has been open that an answer did not end (s), until it is looked at again."""
        self._ranked: ScoredHypotheses[S, A] = []
        self._settles: dict[AskableFact, float] = {}
        """See `_settled_by`, of these explanations."""

    def consider(self, t: float, beam: Beam[S, A], *, claimed: bool) -> None:
        """Ask, or take the question back. With `claimed` somebody waits for a verdict: then sooner."""
        if beam.scored is not self._ranked:
            self._ranked, self._settles = beam.scored, self._settled_by(beam)
        settles = self._settles
        since, self._since = t if self._since is None else self._since, None
        self._open = {askable_fact: self._open.get(askable_fact, since) for askable_fact in settles}
        if self.asked is not None and (
            self.asked.askable_fact not in settles or t - self.asked.t >= GIVEN_UP_S
        ):
            self.asked = None
        if self.asked is None:
            margin = sure(beam.best)
            worth = WORTH if margin <= VERDICT_LOG_ODDS else exp(-margin)
            ripe = []
            for askable_fact, t0 in self._open.items():
                wait = CLAIMED_S if claimed else patience(settles[askable_fact], worth)
                if t - t0 >= wait and askable_fact not in self._done:
                    ripe.append(askable_fact)
            if ripe:
                best = max(ripe, key=lambda askable_fact: settles[askable_fact])
                self._done.add(best)
                self.asked = OpenQuestion(t, best)

    def denied(self, sensed: SensedTable, state: S, action: A) -> bool:
        """Whether those at the table said that this was not done, and nothing has been felt of it since: the
        same signs do not speak for it again."""
        askable_fact = self._game.askable_fact(state, action) if self._denied else None
        t = self._denied.get(askable_fact) if askable_fact is not None else None
        if t is None:
            return False
        places = {place for _, place, _ in self._game.signs(state, action)}
        since = any(detection.t > t and detection.sign[1] in places for detection in sensed.detections)
        return not since and all(sensed.covered.get(place, t) <= t for place in places)

    def answer(self, t: float, beam: Beam[S, A], said: AskableFact, yes: bool) -> AskableFact | None:
        """Believe at `t` (s) what the table says of a deed: which one; None if it makes no difference any more.

        A replay comes here at once from what was seen last: it need not have been asked by then. What an old
        journal says of a deed without an id is known by its sentence.
        """
        askable_fact = next((one for one in self._settled_by(beam) if _same(one, said)), None)
        if askable_fact is None:
            return None
        self.asked = None
        self._done.add(askable_fact)
        self.answers.append(Answered(t, askable_fact, yes))
        if not yes:
            self._denied[askable_fact] = t
            self._since = self._open.get(askable_fact)
        return askable_fact

    def price(self, askable_fact: AskableFact, yes: bool, hypothesis: Hypothesis[S, A]) -> float:
        """What an explanation pays (nats) for having it otherwise than those at the table say."""
        return DENIED if (askable_fact in self._deeds(hypothesis)) != yes else 0.0

    def _settled_by(self, beam: Beam[S, A]) -> dict[AskableFact, float]:
        """Deeds that only some explanations have on which a verdict rests, and how much of what speaks for
        another table than the best one's an answer would settle."""
        best, leader = beam.scored[0]
        lying = self._game.hidden_layout(leader.state)
        rivals = [
            (total_cost - best, hypothesis)
            for total_cost, hypothesis in beam.scored[1:]
            if total_cost <= best + sure(leader) and self._game.hidden_layout(hypothesis.state) != lying
        ]
        done = self._deeds(leader) if rivals else {}
        settles: dict[AskableFact, float] = {}
        for behind, hypothesis in rivals:
            # In an order: of two that settle as much the same one is asked about in every run.
            for askable_fact in sorted(
                done.keys() ^ self._deeds(hypothesis).keys(), key=lambda one: (one.turn, one.id)
            ):
                settles[askable_fact] = settles.get(askable_fact, 0.0) + exp(-behind)
        return settles

    def _deeds(self, hypothesis: Hypothesis[S, A]) -> dict[AskableFact, None]:
        """What was done lately if this explanation is true, newest first."""
        steps = (one.step for one in hypothesis.back() if one.step is not None)
        facts = (self._game.askable_fact(step.before, step.action) for step in steps)
        known = (askable_fact for askable_fact in facts if askable_fact is not None)
        newest = next(known, None)
        if newest is None:
            return {}
        return {newest: None} | dict.fromkeys(
            takewhile(lambda askable_fact: askable_fact.turn > newest.turn - TURNS, known)
        )


def _same(askable_fact: AskableFact, said: AskableFact) -> bool:
    return (
        askable_fact == said
        if said.id
        else (askable_fact.turn, askable_fact.question) == (said.turn, said.question)
    )


def patience(settled: float, worth: float = WORTH) -> float:
    """How long (s) a doubt may last that is so likely, compared with what is believed; inf if it is less than
    what is `worth` a question."""
    if settled < worth:
        return inf
    return ASK_AFTER_S + ASK_LATER_S * max(0.0, -log(settled))
