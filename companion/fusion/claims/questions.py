"""The one question that the table can answer: which of two deeds everybody saw really happened."""

from dataclasses import dataclass
from itertools import takewhile
from math import exp, inf, log
from typing import Generic, TypeVar

from companion.fusion.action_search import Ranked
from companion.fusion.beam import Belief
from companion.fusion.claims.judge import SURE, sure
from companion.fusion.detections import Evidence
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.likelihood import DENIED
from companion.games.api import Deed, TableGame

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
class Asked:
    """A question that waits for its answer: about which deed, and since when (s)."""

    t: float
    deed: Deed


@dataclass(frozen=True, slots=True)
class Answered:
    """What those at the table said, and when (s)."""

    t: float
    deed: Deed
    yes: bool


class Asker(Generic[S, A]):
    """Watches the explanations, and asks once for each deed, when waiting has not told them apart."""

    def __init__(self, game: TableGame[S, A]) -> None:
        self.asked: Asked | None = None
        """What is asked now."""
        self.answers: list[Answered] = []
        """What was answered in this game, oldest first."""
        self._game = game
        self._open: dict[Deed, float] = {}
        """Deeds that only some explanations have, and since when that matters (s)."""
        self._done: set[Deed] = set()
        self._denied: dict[Deed, float] = {}
        """When it was said of which deeds that they had not been done by then (s)."""
        self._since: float | None = None
        """Since when the doubt has been open that an answer did not end (s), until it is looked at again."""
        self._ranked: Ranked[S, A] = []
        self._settles: dict[Deed, float] = {}
        """See `_settled_by`, of these explanations."""

    def consider(self, t: float, belief: Belief[S, A], *, claimed: bool) -> None:
        """Ask, or take the question back. With `claimed` somebody waits for a verdict: then sooner."""
        if belief.ranked is not self._ranked:
            self._ranked, self._settles = belief.ranked, self._settled_by(belief)
        settles = self._settles
        since, self._since = t if self._since is None else self._since, None
        self._open = {deed: self._open.get(deed, since) for deed in settles}
        if self.asked is not None and (self.asked.deed not in settles or t - self.asked.t >= GIVEN_UP_S):
            self.asked = None
        if self.asked is None:
            margin = sure(belief.best)
            worth = WORTH if margin <= SURE else exp(-margin)
            ripe = []
            for deed, t0 in self._open.items():
                wait = CLAIMED_S if claimed else patience(settles[deed], worth)
                if t - t0 >= wait and deed not in self._done:
                    ripe.append(deed)
            if ripe:
                best = max(ripe, key=lambda deed: settles[deed])
                self._done.add(best)
                self.asked = Asked(t, best)

    def denied(self, evidence: Evidence, state: S, action: A) -> bool:
        """Whether those at the table said that this was not done, and nothing has been felt of it since: the
        same signs do not speak for it again."""
        deed = self._game.deed(state, action) if self._denied else None
        t = self._denied.get(deed) if deed is not None else None
        if t is None:
            return False
        places = {place for _, place, _ in self._game.traces(state, action)}
        since = any(noted.t > t and noted.trace[1] in places for noted in evidence.traces)
        return not since and all(evidence.covered.get(place, t) <= t for place in places)

    def answer(self, t: float, belief: Belief[S, A], said: Deed, yes: bool) -> Deed | None:
        """Believe at `t` (s) what the table says of a deed: which one; None if it makes no difference any more.

        A replay comes here at once from what was seen last: it need not have been asked by then. What an old
        journal says of a deed without an id is known by its sentence.
        """
        deed = next((one for one in self._settled_by(belief) if _same(one, said)), None)
        if deed is None:
            return None
        self.asked = None
        self._done.add(deed)
        self.answers.append(Answered(t, deed, yes))
        if not yes:
            self._denied[deed] = t
            self._since = self._open.get(deed)
        return deed

    def price(self, deed: Deed, yes: bool, node: Hypothesis[S, A]) -> float:
        """What an explanation pays (nats) for having it otherwise than those at the table say."""
        return DENIED if (deed in self._deeds(node)) != yes else 0.0

    def _settled_by(self, belief: Belief[S, A]) -> dict[Deed, float]:
        """Deeds that only some explanations have on which a verdict rests, and how much of what speaks for
        another table than the best one's an answer would settle."""
        best, leader = belief.ranked[0]
        lying = self._game.lying(leader.state)
        rivals = [
            (total - best, node)
            for total, node in belief.ranked[1:]
            if total <= best + sure(leader) and self._game.lying(node.state) != lying
        ]
        done = self._deeds(leader) if rivals else {}
        settles: dict[Deed, float] = {}
        for behind, node in rivals:
            # In an order: of two that settle as much the same one is asked about in every run.
            for deed in sorted(done.keys() ^ self._deeds(node).keys(), key=lambda one: (one.turn, one.id)):
                settles[deed] = settles.get(deed, 0.0) + exp(-behind)
        return settles

    def _deeds(self, node: Hypothesis[S, A]) -> dict[Deed, None]:
        """What was done lately if this explanation is true, newest first."""
        steps = (one.step for one in node.back() if one.step is not None)
        deeds = (self._game.deed(step.before, step.action) for step in steps)
        known = (deed for deed in deeds if deed is not None)
        newest = next(known, None)
        if newest is None:
            return {}
        return {newest: None} | dict.fromkeys(takewhile(lambda deed: deed.turn > newest.turn - TURNS, known))


def _same(deed: Deed, said: Deed) -> bool:
    return deed == said if said.id else (deed.turn, deed.question) == (said.turn, said.question)


def patience(settled: float, worth: float = WORTH) -> float:
    """How long (s) a doubt may last that is so likely, compared with what is believed; inf if it is less than
    what is `worth` a question."""
    if settled < worth:
        return inf
    return ASK_AFTER_S + ASK_LATER_S * max(0.0, -log(settled))
