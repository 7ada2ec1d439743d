"""Sentences about steps and revisions, and questions to people."""

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
"""PATIENCE_S: time (s) before people hear that the table differs.

The table must be quiet. EXACTLY_S: time (s) before they are told what differs. Guesses.
"""
OFF, SOMETHING = text("Something is off: {place}."), "off"
"""OFF: sentence after PATIENCE_S. SOMETHING: id of this question."""
LAY_RIGHT = text("Lay it right, or say here what is right.")
"""Next step for people whose table differs from the state."""
FACTS, CORRECTION = 2, 160
"""FACTS: most facts in the sentence about a revision.

CORRECTION: most letters of it in English. The log has the rest. Guesses.
"""
MISREAD = text("I had misread that. Now I see: {told}")
NOT_SO = text("I had misread that. This did not happen: {told}")
NO_HINT = text(
    "I have lost track of what was done: a hint would be a guess. Tell me first that the table is right."
)
"""Answer to a question for hints while the game is lost."""
CORRECTIONS = ("table_is_right", "companion_is_right", "undo", "turn")
"""Commands that answer the question why the table differs from the state."""


def verdict_of(game: TableGame[Any, Any], step: Step[Any, Any]) -> Claimed | None:
    """The verdict event of a step; None without a verdict."""
    claim = game.claim_of(step.action)
    if claim is None:
        return None
    subject, seen = claim
    judgement = game.judge(step.before, subject)
    verdict, reasons = judgement.verdict, judgement.reasons
    if seen is not None:
        # Other cards may lie at the place than were believed, so the seen cards are the reason.
        reasons = (game.words.turned_up,)
    if verdict is Verdict.CANNOT_TELL and seen is not None:
        verdict = Verdict.PROVED if seen else Verdict.REFUTED
    show = judgement.show or None if verdict is Verdict.CANNOT_TELL else None
    return claimed(game, step.before, step.t, subject, verdict, reasons, show)


class VerdictsTold:
    """The verdicts that people have heard.

    A verdict that was doubted and stands is not announced again.
    """

    SAME_CLAIM_S = 5.0
    """Time (s) within which equal verdicts belong to one claim. A guess.

    The claim was dated anew.
    """

    def __init__(self) -> None:
        self._claimed_at: dict[tuple[int, str], float] = {}
        """(claimed place, verdict) -> time of the claim (s)."""

    def told(self, verdict: Claimed) -> bool:
        """True if people have heard this verdict before; this call counts as hearing it.

        Always False for a verdict that cannot tell, which may come again.
        """
        key = (verdict.subject, verdict.verdict)
        before = self._claimed_at.get(key)
        self._claimed_at[key] = verdict.t
        if before is None or verdict.verdict == Verdict.CANNOT_TELL.value:
            return False
        return abs(verdict.t - before) < self.SAME_CLAIM_S

    def forget(self) -> None:
        """Forget all verdicts, after people corrected the game."""
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
    """Make the event for a verdict at `t` (s).

    `subject`: the claimed place, from 0. `show`: cards that would decide an open claim, in words.
    """
    said, badge = game.words.verdicts[verdict]
    return Claimed(
        t, subject + 1, subject_name(game, state, subject), verdict.value, said, badge, reasons, show
    )


def claim_heard(game: TableGame[Any, Any], state: Any, t: float, station: str) -> ClaimHeard | None:
    """Make the event for a claim at a station.

    None if nothing can be claimed there now.
    """
    subject = game.subject_at(state, station)
    if subject is None or game.claimable(state, subject) is not None:
        return None
    return ClaimHeard(t, subject + 1, subject_name(game, state, subject))


def subject_name(game: TableGame[Any, Any], state: Any, subject: int) -> str:
    """What a claim about a place (from 0) concerns, in words."""
    place = game.screen(state, "referee")["places"][subject]
    if game.claims_wins and place["claim"]:
        # The name tells what lies at the place, but the claim concerns its owner.
        return text("{claim}?", claim=place["claim"])
    return text("{name}, {place}", name=place["name"], place=place_name(game.claim_station(state, subject)))


def message_of(game: TableGame[Any, Any], step: Step[Any, Any]) -> Message | None:
    """The message that narrates a step, if any."""
    return game.message(step.before, step.action, step.after)


def last_verdict(game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]]) -> Message | None:
    """The last step's message, if it judges or ends the game."""
    if not steps:
        return None
    step = steps[-1]
    judged = game.claim_of(step.action) is not None or game.outcome(step.after) is not None
    return message_of(game, step) if judged else None


class Repair(NamedTuple):
    """The announcement of a revision of published steps."""

    text: str
    """The sentences about the revision; empty for nothing to say."""
    rest: tuple[Message, ...]
    """Further messages that replace revoked ones, for the log alone."""
    news: list[Step[Any, Any]]
    """Steps that replace nothing and are announced as usual."""


def repaired(game: TableGame[Any, Any], change: Change[Any, Any], unsaid: Iterable[Message] = ()) -> Repair:
    """Announce a revision of published steps.

    The sentences name what replaces the revoked messages, or else what did not happen. The announcement is
    empty if all messages still hold. `unsaid`: revoked messages that people never heard. A step dated after
    every revoked step is news, not a correction. A step that was undone at once is left out.
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
    """A sentence with the facts that fit, and the rest.

    FACTS and CORRECTION are the limits.
    """
    for number in range(min(FACTS, len(facts)), 1, -1):
        whole = sentence.of(told=sentences([fact.text for fact in facts[:number]]))
        if len(whole) <= CORRECTION:
            return whole, facts[number:]
    return sentence.of(told=facts[0].text), facts[1:]


def _taken_back(steps: Sequence[Step[Any, Any]]) -> set[int]:
    """Ids (`id()`) of steps undone at once, and their undoing.

    `steps`: oldest first.
    """
    pairs = pairwise(steps)
    return {id(one) for done, back in pairs if isinstance(back.action, TakeBack) for one in (done, back)}


def question_of(
    tracker: Tracker[Any, Any], shown: Question, t: float, *, quiet_s: float, senses: Set[str]
) -> Question:
    """Choose the question to people at `t` (s).

    Its text is empty if nothing has to be asked. `shown`: the question on the screens. `quiet_s`: time (s)
    since anything moved. `senses`: which of CAMERA and BOARD work.

    A lost game is announced at once. A table that differs from the state is announced after PATIENCE_S, and
    what differs after EXACTLY_S. This question stays while the difference lasts.
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
