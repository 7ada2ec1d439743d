"""Questions to the players: which of two public actions really happened."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from math import exp, inf, log
from typing import Generic, NamedTuple

from companion.fusion.beam import Beam
from companion.fusion.detections import SensedTable
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.parameters.claims import CLAIM, QUESTIONS
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.pruning import ScoredHypotheses
from companion.games.hidden_cards import AskableFact, numbered
from companion.games.rules import A, S
from companion.games.signs import Verb
from companion.games.table_game import TableGame, askable_fact


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits for its answer: since when (s), and about which action."""

    t: float
    fact: AskableFact


@dataclass(frozen=True, slots=True)
class Answered:
    """What players answered, and when (s)."""

    t: float
    fact: AskableFact
    yes: bool


class Settled(NamedTuple):
    """What an answer settles: the summed odds of the rivals against the best layout, and the places at which
    one of them has other cards than that."""

    odds: float
    places: frozenset[str]


class QuestionPlanner(Generic[S, A]):
    """Asks once about each action that hypotheses disagree on, when waiting has not decided."""

    def __init__(self, game: TableGame[S, A]) -> None:
        self.asked: OpenQuestion | None = None
        """What is asked now."""
        self.answers: list[Answered] = []
        """What was answered in this game, oldest first."""
        self._game = game
        self._open: dict[AskableFact, float] = {}
        """Action that only some hypotheses contain -> since when that matters (s)."""
        self._done: set[AskableFact] = set()
        self._denied: dict[AskableFact, float] = {}
        """Action -> when players said that it had not been done (s)."""
        self._lapsed: AskableFact | None = None
        """A claim that may have been a mistake."""
        self._unseen: AskableFact | None = None
        """About cards that the camera did not see turned up."""
        self._since: float | None = None
        """Since when a doubt is open that an answer did not end (s)."""
        self._scored: ScoredHypotheses[S, A] = []
        self._settles: dict[AskableFact, Settled] = {}
        """See `_settled_by`, for these hypotheses."""

    def consider(
        self,
        t: float,
        beam: Beam[S, A],
        *,
        claimed: str | None,
        lapsed: AskableFact | None = None,
        unseen: AskableFact | None = None,
        idle: bool = False,
    ) -> None:
        """Ask, or withdraw the question. `claimed`: the place of a claim whose verdict waits, so what differs
        there is asked first and sooner. `lapsed`: a claim that may have been a mistake. `unseen`: about cards
        that the camera did not see turned up. `idle`: no verdict depends on what was moved."""
        if unseen != self._unseen and self._unseen is not None:
            self._done.discard(self._unseen)  # what lies there changes: it may be asked again
        self._lapsed, self._unseen = lapsed, unseen
        if beam.scored is not self._scored:
            self._scored, self._settles = beam.scored, self._settled_by(beam)
        settles = {} if idle else self._settles
        since, self._since = t if self._since is None else self._since, None
        self._open = {fact: self._open.get(fact, since) for fact in settles}
        if self.asked is not None and (
            (self.asked.fact not in settles and self.asked.fact not in (lapsed, unseen))
            or t - self.asked.t >= QUESTIONS.given_up_s
        ):
            self.asked = None
        if self.asked is None:
            ripe = []
            for fact, t0 in self._open.items():
                odds, places = settles[fact]
                wait = QUESTIONS.claimed_s if claimed in places else patience(odds)
                if t - t0 >= wait and fact not in self._done:
                    ripe.append(fact)
            for direct in (lapsed, unseen):
                if direct is not None and direct not in self._done and not ripe:
                    settles, ripe = {direct: Settled(1.0, frozenset())}, [direct]
            if ripe:
                best = max(ripe, key=lambda fact: (claimed in settles[fact].places, settles[fact].odds))
                self._done.add(best)
                self.asked = OpenQuestion(t, best)

    def withdraw(self) -> None:
        """The question was asked because of a claim that is none: it may be asked again."""
        if self.asked is not None:
            self._done.discard(self.asked.fact)
        self.asked = None

    def denied(self, sensed: SensedTable, state: S, action: A) -> bool:
        """Whether players denied this action and nothing was sensed of it since: the same detections do not
        count for it again."""
        fact = askable_fact(self._game, state, action) if self._denied else None
        t = self._denied.get(fact) if fact is not None else None
        if t is None:
            return False
        signs = self._game.signs(state, action)
        places = {place for _, place, _ in signs}
        if self._game.claim_of(action) is not None:
            again = [one for one in sensed.detections if one.sign.verb == Verb.PRESS]
        else:
            again = sensed.detections
        since = any(detection.t > t and detection.sign.place in places for detection in again)
        return not since and all(sensed.covered.get(place, t) <= t for place in places)

    def answer(
        self, t: float, beam: Beam[S, A], said: AskableFact, yes: bool, *, followed: bool = False
    ) -> AskableFact | None:
        """Take an answer at `t` (s): the action it is about; None if it makes no difference any more.

        A replayed answer need not have been asked by then. `followed`: published steps of a journal are
        followed; its answers made a difference, though the hypotheses that differed may not be carried.
        """
        direct = (one for one in (self._lapsed, self._unseen) if one is not None)
        facts = [*self._settled_by(beam), *direct]
        fact = next((one for one in facts if one == said), said if followed else None)
        if fact is None:
            return None
        self.asked = None
        self._done.add(fact)
        self.answers.append(Answered(t, fact, yes))
        if not yes:
            self._denied[fact] = t
            self._since = self._open.get(fact)
        return fact

    def cost(self, fact: AskableFact, yes: bool, hypothesis: Hypothesis[S, A]) -> float:
        """Cost (nats) of a hypothesis that contradicts the answer."""
        if fact == self._lapsed:
            return COSTS.mistaken if (fact in self._claims(hypothesis)) != yes else 0.0
        return COSTS.denied if (fact in self._facts(hypothesis, fact.turn - 1)) != yes else 0.0

    def _settled_by(self, beam: Beam[S, A]) -> dict[AskableFact, Settled]:
        """Action that only some near hypotheses contain -> what an answer settles."""
        best, leader = beam.scored[0]
        lying = self._game.hidden_layout(leader.state)
        alike, rivals = 0.0, []
        for total_cost, hypothesis in beam.scored:
            if total_cost > best + CLAIM.verdict_log_odds:
                continue
            hidden, weight = self._game.hidden_layout(hypothesis.state), exp(best - total_cost)
            if hidden == lying:
                # One layout has several hypotheses, which differ in what else explains the same signs.
                alike += weight
            else:
                rivals.append((weight, hypothesis, hidden))
        # All are asked about the same turns: what is older is no difference between them.
        since = max(map(self._newest_turn, (leader, *(one for _, one, _ in rivals)))) - QUESTIONS.turns
        done = self._facts(leader, since) if rivals else {}
        settles: dict[AskableFact, Settled] = {}
        for weight, hypothesis, hidden in rivals:
            places = frozenset(at for at in lying if set(hidden.get(at, ())) != set(lying[at]))
            # Sorted: of two that settle as much every run asks about the same one.
            for fact in sorted(
                done.keys() ^ self._facts(hypothesis, since).keys(), key=lambda one: (one.turn, one.id)
            ):
                odds, others = settles.get(fact, Settled(0.0, frozenset()))
                settles[fact] = Settled(odds + weight / alike, others | places)
        return settles

    def _facts(self, hypothesis: Hypothesis[S, A], since: int) -> dict[AskableFact, None]:
        """The public actions of a hypothesis in the turns after number `since`, newest first."""
        lately = [*takewhile(lambda fact: fact.turn > since, self._moves(hypothesis))]
        return dict.fromkeys(numbered(lately[::-1])[::-1])

    def _newest_turn(self, hypothesis: Hypothesis[S, A]) -> int:
        """The number of the turn of the newest public action of a hypothesis; 0 if there is none."""
        return next((fact.turn for fact in self._moves(hypothesis)), 0)

    def _moves(self, hypothesis: Hypothesis[S, A]) -> Iterator[AskableFact]:
        """The public actions of a hypothesis, newest first; claims are none."""
        moves = (step for step in hypothesis.steps() if self._game.claim_of(step.action) is None)
        facts = (askable_fact(self._game, step.before, step.action) for step in moves)
        return (fact for fact in facts if fact is not None)

    def _claims(self, hypothesis: Hypothesis[S, A]) -> set[AskableFact | None]:
        """The claims of a hypothesis."""
        claims = (step for step in hypothesis.steps() if self._game.claim_of(step.action) is not None)
        return {askable_fact(self._game, step.before, step.action) for step in claims}


def patience(settled: float) -> float:
    """Time (s) before a question about a doubt with the odds `settled`; inf if these are below
    `QUESTIONS.worth`."""
    if settled < QUESTIONS.worth:
        return inf
    return QUESTIONS.ask_after_s + QUESTIONS.ask_later_s * max(0.0, -log(settled))
