"""Verdicts: whether what is believed proves a claim, refutes it, or leaves it open."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import takewhile
from math import inf
from typing import Generic, TypeVar

from companion.fusion.absences import SCALES
from companion.fusion.association import tardy
from companion.fusion.beam import CLAIMS, TRACE_LIFE_S, Belief
from companion.fusion.clutter import ghosts
from companion.fusion.detections import Evidence, Noted
from companion.fusion.hypothesis import Hypothesis
from companion.fusion.likelihood import RESTLESS
from companion.games.api import TableGame, Verdict

S = TypeVar("S")
A = TypeVar("A")

TROUBLE, TROUBLED_S = 4.0, 20.0
"""A claim is not judged while so much (nats) of what was seen in so many seconds is unexplained."""
MOVES = (*SCALES, "tag")
"""What may come of a hidden card that was moved."""
SURE = 4.6
"""A verdict holds in every explanation that is worse than the best by less than this (nats)."""
RESTLESS_TABLE, SURER, STEPS_AT_LEAST = 0.5, 5.3, 30
"""Where the best explanation has cost more than this (nats) for each of its steps, of which so many are counted
at least, everything is likelier to be missed than the tables say: then it is this much."""
JUDGE_AFTER_S, JUDGE_LATEST_S = 0.5, 0.75
"""A claim is judged when slower sensors have had their say, at once or when what moves has come to rest."""
NOISY, NOISY_STEPS = 1.1, 20
"""No claim is settled by a story that has cost so much (nats) for each of its steps, once it has so many. For
95 of 100 claims it came to 0.5 at most in games as expected, to 0.8 where everything is three times as bad, and
to 1.2 at least where it is ten times as bad, for which the tables of likelihoods are not made."""
LASTING_S = 1.5
"""What has been the best explanation for so long is no passing thought."""
CHEAP = 1.0
"""Steps up to this price (nats), beside what scales cost that told late, need no more than a careless player or
sensor."""
TOGETHER_S = 0.5
"""Tags that are read within so long were on the pad together."""
CARRIED_S, LAID_DOWN_S = 5.0, 1.5
"""A mattress that was taken up no longer than this before a claim may be on its way, and so long after the
claim its scale tells at last where it was laid."""
ANSWERED_S = 8.0
"""So long after a claim those who are asked have for their answer."""
RESUMED_S, REPORTED_S = 8.0, 2.0
"""After a restart of the program amid the game a claim waits no longer than this for the sensors, and so long
after they are back for all that they have to tell."""
PUT_BACK_S = 3.0
"""So long after a bed was turned up and down again a tile that sleeps on it would have been seen."""


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim that what is known cannot decide: when it was made, and on which bed (from 0)."""

    t: float
    bed: int


class Judge(Generic[S, A]):
    """Decides each claim once, and says which claims may be believed."""

    def __init__(self, game: TableGame[S, A]) -> None:
        self.open_claims: list[OpenClaim] = []
        self._game = game
        self._verdicts: dict[int, Verdict] = {}
        """What was decided on each claim, by the number of its trace."""
        self._bare: dict[int, float] = {}
        """Since when what was turned up after a claim lies there no more, by the number of its trace."""
        self._turned_down: set[int] = set()
        """Those of them after which no sleeping tile was laid there."""

    def decide(
        self, t: float, belief: Belief[S, A], told: S, doubted: Collection[str], *, asked: bool = False
    ) -> bool:
        """Decide which claims what is known settles, once what came before them has been taken in.

        `doubted` names the sensors that miss what happens: while there are any all stays open. If those at the
        table are `asked` about it, their answer is waited for. Whether any claim was decided.
        """
        self.open_claims = [one for one in self.open_claims if t - one.t < TRACE_LIFE_S]
        decided = self._watch_beds(t, belief.evidence, told)
        noisy = self._noisy(belief.best)
        for noted in belief.evidence.traces:
            if noted.trace[0] != "press" or noted.id in self._verdicts or t - noted.t < JUDGE_AFTER_S:
                continue
            bed = self._game.place_of_claim(told, noted.trace[1])
            if bed is None:
                continue
            node = belief.best
            moved = [one for one in belief.evidence.traces if one.trace[0] in MOVES]
            known = [one for one in moved if one.id in node.used]
            lately = [
                one
                for one in moved
                if t - one.t < TROUBLED_S and one.id not in node.used and not _beside(one, known)
            ]
            trouble = max(0.0, ghosts(lately, t) - _restless(lately)) + belief.mismatch(node.state)
            trouble += self._strain(node, t - TROUBLED_S)
            moving = trouble >= TROUBLE or t - belief.leading[1] < LASTING_S
            if moving and t - noted.t < JUDGE_LATEST_S:
                continue
            if self._starting(t, belief.evidence) and self._may_wait(t, noted, belief.evidence, inf):
                continue
            in_hand = self._in_hand(lately, noted.t - CARRIED_S, node.state)
            if in_hand and not noisy and self._may_wait(t, noted, belief.evidence, LAID_DOWN_S):
                continue
            verdicts = self._possible(belief, bed)
            unanswered = asked and not noisy and self._differ(belief, noted.trace[1], bed)
            if not verdicts or (unanswered and self._may_wait(t, noted, belief.evidence)):
                continue
            verdict = verdicts.pop()
            unclear = noisy or in_hand or trouble >= TROUBLE
            unclear |= belief.evidence.absences.doubtful(t, noted.trace[1]) and not self._counted(belief, bed)
            if verdicts or unclear or doubted or not self._sighted(belief.evidence, told):
                verdict = Verdict.CANNOT_TELL
            self._verdicts[noted.id] = verdict
            decided = True
            if verdict is Verdict.CANNOT_TELL:
                self.open_claims.append(OpenClaim(noted.t, bed))
        return decided

    @staticmethod
    def _starting(t: float, evidence: Evidence) -> bool:
        """Whether the sensors have yet to tell what lies there since the program was started again."""
        back = max(evidence.board_back, evidence.camera_back)
        return t - evidence.resumed < RESUMED_S and t - back < REPORTED_S

    @staticmethod
    def _noisy(story: Hypothesis[S, A]) -> bool:
        """Whether so much was unlikely in the most likely story that it says little: nothing is worth waiting
        for then."""
        return story.depth >= NOISY_STEPS and story.cost >= NOISY * story.depth

    @staticmethod
    def _may_wait(t: float, press: Noted, evidence: Evidence, most: float = ANSWERED_S) -> bool:
        """Whether a verdict comes in time, after at `most` so long (s): nobody has turned the cards up."""
        bare = all(one.t < press.t or one.trace[:2] != ("came", press.trace[1]) for one in evidence.traces)
        return bare and t - press.t < most

    def _in_hand(self, unexplained: Iterable[Noted], since: float, state: S) -> bool:
        """Whether a mattress was taken up since a time (s), by a hand that was there, where one may be taken,
        and no scale has told yet where it lies."""
        up: Counter[str] = Counter()
        for one in unexplained:
            verb, place, _ = one.trace
            if verb == "lift" and not one.alone and one.t >= since:
                up[verb] += not self._game.no_news(state, ("stay", place, ()))
            up["put"] += verb == "put"
        return up["lift"] > up["put"]

    def divided(self, t: float, belief: Belief[S, A], told: S) -> bool:
        """Whether somebody waits for a verdict on cards of which the explanations differ which they are."""
        if self._noisy(belief.best):
            return False
        for noted in belief.evidence.traces:
            if noted.trace[0] != "press" or noted.id in self._verdicts or t - noted.t >= ANSWERED_S:
                continue
            bed = self._game.place_of_claim(told, noted.trace[1])
            if bed is not None and self._differ(belief, noted.trace[1], bed):
                return True
        return False

    def _possible(self, belief: Belief[S, A], bed: int) -> set[Verdict]:
        """The verdicts on a bed (from 0) of all explanations that are not much worse than the best."""
        return {self._game.judge(state, bed).verdict for state in self._near(belief, bed)}

    def _counted(self, belief: Belief[S, A], bed: int) -> bool:
        """Whether the number of cards on a bed (from 0) settles a claim, whatever they are."""
        return all(self._game.judge(state, bed).counted for state in self._near(belief, bed))

    def _differ(self, belief: Belief[S, A], place: str, bed: int) -> bool:
        """Whether these explanations have other cards on a bed (from 0).

        What the cards are is left aside: whether a verdict comes at once must not tell it.
        """
        lying = (self._game.lying(state)[place] for state in self._near(belief, bed))
        return len({frozenset(number for number, _ in cards) for cards in lying}) > 1

    def _near(self, belief: Belief[S, A], bed: int) -> list[S]:
        """The states explained not much worse than the best in which a bed (from 0) can be claimed."""
        near = belief.ranked[0][0] + sure(belief.best)
        states = (node.state for total, node in belief.ranked if total <= near)
        return [state for state in states if self._game.claimable(state, bed) is None]

    def _watch_beds(self, t: float, evidence: Evidence, told: S) -> bool:
        """Note what was turned up after a claim and put back without a tile; whether there is news of that."""
        news = False
        claimed = {one.bed: one.t for one in self.open_claims}
        for noted in evidence.traces if claimed else ():
            verb, place, _ = noted.trace
            bed = self._game.place_of_claim(told, place) if verb == "came" else None
            if bed is None or noted.t < claimed.get(bed, t) or noted.id in self._turned_down:
                continue
            if evidence.zones.get(place):
                self._bare.pop(noted.id, None)
            elif t - self._bare.setdefault(noted.id, t) >= PUT_BACK_S:
                self._turned_down.add(noted.id)
                news = True
        return news

    def close(self, beds: Collection[int]) -> None:
        """The claims on these beds (from 0) are settled."""
        self.open_claims = [one for one in self.open_claims if one.bed not in beds]

    def admits(self, evidence: Evidence, node: Hypothesis[S, A], action: A) -> bool:
        """Whether an action may follow: a claim when its verdict is out, or when its cards have been shown."""
        claim = self._game.claim_of(action)
        if claim is None or claim[1] is not None:
            return True
        turned_up = False
        for noted in evidence.traces:
            verb, place, kinds = noted.trace
            if verb not in CLAIMS or self._game.place_of_claim(node.state, place) != claim[0]:
                continue
            if verb == "press":
                verdict = self._verdicts.get(noted.id)
                if verdict is self._game.judge(node.state, claim[0]).verdict:
                    return True
            else:
                shown = self._game.shown(node.state, claim[0], kinds)
                verdict = self._game.judge(node.state, claim[0]).verdict
                if shown is None or shown.wrong:
                    continue
                # Those who saw the cards left no tile there: they found what is believed.
                awake = noted.id in self._turned_down and shown.verdict is None
                turned_up |= shown.verdict is verdict or (awake and verdict is Verdict.REFUTED)
        return turned_up

    def _strain(self, node: Hypothesis[S, A], since: float) -> float:
        """What dear steps since a time (s) cost that moved what lies hidden, in nats: no claim rests on a move
        that nothing showed."""
        lately = takewhile(lambda step: step.t >= since, (one.step for one in node.back() if one.step))
        moves = (step for step in lately if self._game.lying(step.before) != self._game.lying(step.after))
        return sum(max(0.0, step.cost - tardy(step.used) - CHEAP) for step in moves)

    def _sighted(self, evidence: Evidence, told: S) -> bool:
        """Whether every sensor that could have seen mattresses move was there."""
        expected = self._game.expected_view(told).counts
        return "board" not in evidence.silent and all(one in evidence.counts for one in expected)


def sure(best: Hypothesis[S, A]) -> float:
    """By how much (nats) the best explanation must be better than one that it rules out."""
    uneasy = best.cost > RESTLESS_TABLE * max(best.depth, STEPS_AT_LEAST)
    return SURER if uneasy else SURE


def _beside(noted: Noted, known: Iterable[Noted]) -> bool:
    """Whether a tag was read only because its card lay on the pad together with one that has its cause."""
    return any(
        one.trace[:2] == noted.trace[:2] and abs(one.t - noted.t) < TOGETHER_S
        for one in known
        if noted.trace[0] == "tag"
    )


def _restless(noted: Iterable[Noted]) -> float:
    """What scales cost that were restless, in nats, once each or as often as they came back: nothing moved."""
    there: dict[str, Counter[str]] = {}
    for one in noted:
        there.setdefault(one.trace[1], Counter())[one.trace[0]] += 1
    scales = (signs for signs in there.values() if any(verb in signs for verb in SCALES))
    return RESTLESS * sum(max(1, min(signs[verb] for verb in SCALES)) for signs in scales)
