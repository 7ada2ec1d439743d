"""The narration of steps and repairs: verdicts and sentences for everybody at the table."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import Any, NamedTuple

from companion.core.language import Text, sentences, text
from companion.core.sensor_terms import place_name
from companion.fusion.hypothesis import Step
from companion.fusion.publisher import Change
from companion.fusion.tracker import Tracker
from companion.games.announcements import TakeBack
from companion.games.api import BOARD, CAMERA, Difference, Message, TableGame, Verdict
from companion.session.entries.without_keys import LOST, LOST_ALL, LOST_FEELING
from companion.session.stream.events import LOST_TRACK, LOST_UNSEEN, YES_NO, Claimed, ClaimHeard, Question

PATIENCE_S, EXACTLY_S = 20.0, 30.0
"""PATIENCE_S: how long a quiet table must differ from the state before the companion says so (s). EXACTLY_S:
before it says what differs (s)."""
OFF, SOMETHING = text("Something is off: {place}."), "off"
"""OFF: the sentence after PATIENCE_S. SOMETHING: the question's id."""
LAY_RIGHT = text("Lay it right, or say here what is right.")
"""The next step after it."""
FACTS, CORRECTION = 2, 160
"""Facts, and letters in English, that a correction has at most; the log has the rest."""
MISREAD = text("I had misread that. Now I see: {told}")
NOT_SO = text("I had misread that. This did not happen: {told}")
NO_HINT = text(
    "I have lost track of what was done: a hint would be a guess. Tell me first that the table is right."
)
"""The answer to whoever asks for a hint then."""
CORRECTIONS = ("table_is_right", "companion_is_right", "undo", "turn")
"""Commands that answer this question."""


def verdict_of(game: TableGame[Any, Any], step: Step[Any, Any]) -> Claimed | None:
    """The verdict on a claim; None for any other step."""
    claim = game.claim_of(step.action)
    if claim is None:
        return None
    subject, seen = claim
    judgement = game.judge(step.before, subject)
    verdict, reasons = judgement.verdict, judgement.reasons
    if seen is not None:
        # The cards that lie there may be others than were believed there: the reason is what was seen.
        reasons = (game.words.turned_up,)
    if verdict is Verdict.CANNOT_TELL and seen is not None:
        verdict = Verdict.PROVED if seen else Verdict.REFUTED
    show = judgement.show or None if verdict is Verdict.CANNOT_TELL else None
    return claimed(game, step.before, step.t, subject, verdict, reasons, show)


class VerdictsTold:
    """Verdicts that the family has heard: one that was doubted and holds after all is not told twice."""

    SAME_CLAIM_S = 5.0
    """Verdicts alike of claims less than this apart (s) are one: the claim was dated anew. A guess."""

    def __init__(self) -> None:
        self._claimed_at: dict[tuple[int, str], float] = {}
        """Subject and verdict -> time of the claim (s)."""

    def told(self, verdict: Claimed) -> bool:
        """Whether this verdict was told before; from now on it was. One that cannot tell may come again."""
        key = (verdict.subject, verdict.verdict)
        before = self._claimed_at.get(key)
        self._claimed_at[key] = verdict.t
        if before is None or verdict.verdict == Verdict.CANNOT_TELL.value:
            return False
        return abs(verdict.t - before) < self.SAME_CLAIM_S

    def forget(self) -> None:
        """Somebody took a step back, or settled how the table lies."""
        self._claimed_at.clear()


def claimed(
    game: TableGame[Any, Any],
    state: Any,
    t: float,
    subject: int,
    verdict: Verdict,
    reasons: tuple[str, ...],
    show: str | None = None,
) -> Claimed:
    """The event for a verdict on a subject (from 0) at `t` (s)."""
    said, badge = game.words.verdicts[verdict]
    return Claimed(
        t, subject + 1, subject_name(game, state, subject), verdict.value, said, badge, reasons, show
    )


def claim_heard(game: TableGame[Any, Any], state: Any, t: float, station: str) -> ClaimHeard | None:
    """The event for a button or key that claims at a station; None if nothing can be claimed there now."""
    subject = game.subject_at(state, station)
    if subject is None or game.claimable(state, subject) is not None:
        return None
    return ClaimHeard(t, subject + 1, subject_name(game, state, subject))


def subject_name(game: TableGame[Any, Any], state: Any, subject: int) -> str:
    """What a claim about a subject (from 0) is about, in words."""
    place = game.screen(state, "referee")["places"][subject]
    if game.claims_wins and place["claim"]:
        # The place is named by what lies there, the claim is about whose it is.
        return text("{claim}?", claim=place["claim"])
    return text("{name}, {place}", name=place["name"], place=place_name(game.claim_station(state, subject)))


def message_of(game: TableGame[Any, Any], step: Step[Any, Any]) -> Message | None:
    """The message that narrates a step; None if it is not narrated."""
    return game.message(step.before, step.action, step.after)


def last_verdict(game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]]) -> Message | None:
    """The message of the last step if it is a verdict on a claim or the final check; else None."""
    if not steps:
        return None
    step = steps[-1]
    judged = game.claim_of(step.action) is not None or game.outcome(step.after) is not None
    return message_of(game, step) if judged else None


class Repair(NamedTuple):
    """What is told of a revision."""

    text: str
    """The sentences, at most CORRECTION letters in English; empty for nothing."""
    rest: tuple[Message, ...]
    """What else replaces revoked messages: for the log."""
    news: list[Step[Any, Any]]
    """Steps that replace nothing."""


def repaired(game: TableGame[Any, Any], change: Change[Any, Any], unsaid: Iterable[Message] = ()) -> Repair:
    """What is told of a revision.

    The sentences name what replaces the revoked messages, or else what did not happen; there are none if all
    messages still hold or were `unsaid`. A step later than all revoked ones replaces nothing: it is news. What
    was taken back at once changed nothing: nobody needs to hear that it was done after all, or was not.
    """
    last = max((step.t for step in change.revoked), default=0.0)
    void = _taken_back(change.revoked[::-1])
    said = Counter(message_of(game, step) for step in change.revoked if id(step) not in void)
    said.subtract(unsaid)
    void = _taken_back(change.steps)
    news = []
    for step in change.steps:
        if id(step) in void and step.t <= last:
            continue
        message = message_of(game, step)
        if said[message] > 0:
            said[message] -= 1
        else:
            news.append(step)
    wrong = [message for message in said if message is not None and said[message] > 0]
    if not wrong:
        return Repair("", (), news)
    instead = [message for step in news if step.t <= last and (message := message_of(game, step)) is not None]
    told, rest = _short(MISREAD, instead) if instead else _short(NOT_SO, wrong)
    return Repair(told, tuple(rest) if instead else (), [step for step in news if step.t > last])


def _short(sentence: Text, facts: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    """A sentence with as many of its `told` as are heard at once, and what does not fit."""
    for number in range(min(FACTS, len(facts)), 1, -1):
        whole = sentence.of(told=sentences([fact.text for fact in facts[:number]]))
        if len(whole) <= CORRECTION:
            return whole, facts[number:]
    return sentence.of(told=facts[0].text), facts[1:]


def _taken_back(steps: Sequence[Step[Any, Any]]) -> set[int]:
    """Of steps, the oldest first, the ids of those that were taken back, and of their taking back."""
    pairs = pairwise(steps)
    return {id(one) for done, back in pairs if isinstance(back.action, TakeBack) for one in (done, back)}


def question_of(
    tracker: Tracker[Any, Any], shown: Question, t: float, *, quiet_s: float, senses: Set[str]
) -> Question:
    """The question to ask at `t` (s) when `shown` is on the screens and nothing has moved for `quiet_s` (s).
    `senses`: what of camera and board works.

    A game that is lost is told at once. While the table differs from the state, nothing is said for PATIENCE_S,
    then that something differs, and after EXACTLY_S what differs. That question stays as long as exactly this
    differs.
    """
    if tracker.asked is not None:
        return Question(tracker.asked.fact.question, YES_NO, tracker.asked.fact.id)
    if tracker.lost(t):
        if CAMERA in senses:
            return Question(LOST, CORRECTIONS[:1], LOST_TRACK)
        return Question(LOST_FEELING if BOARD in senses else LOST_ALL, CORRECTIONS[:1], LOST_UNSEEN)
    off = tracker.differences()
    if not off or (quiet_s < PATIENCE_S and shown.options != CORRECTIONS):
        return Question("")
    if quiet_s < PATIENCE_S:
        return shown if shown.id in (SOMETHING, *map(_id_of, off)) else Question("")
    if quiet_s < EXACTLY_S:
        where = OFF.of(place=place_name(off[0].place))
        return Question(sentences([where, LAY_RIGHT]), CORRECTIONS, SOMETHING)
    differs = sentences([tracker.game.difference(tracker.state, off[0]), LAY_RIGHT])
    return Question(differs, CORRECTIONS, _id_of(off[0]))


def _id_of(off: Difference) -> str:
    return f"{SOMETHING}:{off.place}:{','.join(off.extra)}:{','.join(off.missing)}"
