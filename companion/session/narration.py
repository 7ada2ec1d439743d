"""Sentences about what players did, corrections of such sentences, and questions to people."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import pairwise
from typing import Any, NamedTuple

from companion.core.language import Text, sentences, text
from companion.core.sensor_terms import place_name
from companion.fusion.hypothesis import Step
from companion.fusion.publisher import Change
from companion.fusion.tracker import Tracker
from companion.games.appearance import Difference
from companion.games.claims import Verdict
from companion.games.narrator import BOARD, CAMERA, Message
from companion.games.table_game import TableGame
from companion.games.win_claims import TakeBack
from companion.session.entries.without_keys import LOST, LOST_ALL, LOST_FEELING
from companion.session.stream.events import LOST_TRACK, LOST_UNSEEN, YES_NO, Claimed, ClaimHeard, Question

PATIENCE_S, EXACTLY_S = 20.0, 30.0
"""PATIENCE_S: time (s) without movement until people hear that the table differs from the state.

EXACTLY_S: time (s) without movement until people hear what differs. Guesses.
"""
OFF, SOMETHING = text("Something is off: {place}."), "off"
"""OFF: question after PATIENCE_S, which names only the place. SOMETHING: `Question.id` of it."""
LAY_RIGHT = text("Lay it right, or say here what is right.")
"""Sentence on what people can do if the table differs from the state."""
FACTS, CORRECTION = 2, 160
"""FACTS: most actions that one sentence of correction names.

CORRECTION: most letters of such a sentence, in English. The log has the rest. Guesses.
"""
MISREAD = text("I had misread that. Now I see: {told}")
NOW_KNOWN = text("Now I know: {told}")
"""NOW_KNOWN: instead of MISREAD, after people have answered a question: who asked had not misread."""
NOT_SO = text("I had misread that. This did not happen: {told}")
NO_HINT = text(
    "I have lost track of what was done: a hint would be a guess. Tell me first that the table is right."
)
"""Answer to a request for hints while no history explains the observations."""
UNLAID = text("No card lies open yet. Lay the game out as its rules say: I watch.")
"""Instead of a question, before the first action: a table that is laid out step by step fits no state."""
CORRECTIONS = ("table_is_right", "companion_is_right", "undo", "turn")
"""Names of the commands that people may choose if the table differs from the state."""


def verdict_of(game: TableGame[Any, Any], step: Step[Any, Any]) -> Claimed | None:
    """Make the event with the verdict of a step (one believed action); None if the action is no claim."""
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
    """Verdicts that people have heard; none is announced twice.

    A claim may be revoked and believed again, with another time.
    """

    SAME_CLAIM_S = 5.0
    """Longest time (s) between two equal verdicts that are taken for one verdict. A guess."""

    def __init__(self) -> None:
        self._claimed_at: dict[tuple[int, str], float] = {}
        """(claimed place, verdict) -> time of the claim (s)."""

    def told(self, verdict: Claimed) -> bool:
        """Note that people hear a verdict; True if they have heard it within SAME_CLAIM_S before.

        Always False for the verdict "cannot tell", which may be announced again.
        """
        key = (verdict.subject, verdict.verdict)
        before = self._claimed_at.get(key)
        self._claimed_at[key] = verdict.t
        if before is None or verdict.verdict == Verdict.CANNOT_TELL.value:
            return False
        return abs(verdict.t - before) < self.SAME_CLAIM_S

    def forget(self) -> None:
        """Forget all verdicts, because people have corrected the game."""
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
    """Make the event that tells people the verdict on a claim at `t` (s).

    `subject`: claimed place, from 0. `reasons`: sentences. `show`: cards that would decide the claim, in
    words; None if the verdict is sure.
    """
    said, badge = game.words.verdicts[verdict]
    return Claimed(
        t, subject + 1, subject_name(game, state, subject), verdict.value, said, badge, reasons, show
    )


def claim_heard(game: TableGame[Any, Any], state: Any, t: float, station: str) -> ClaimHeard | None:
    """Make the event for a claim made at a station at `t` (s); None if nothing can be claimed there."""
    subject = game.subject_at(state, station)
    if subject is None or game.claimable(state, subject) is not None:
        return None
    return ClaimHeard(t, subject + 1, subject_name(game, state, subject))


def subject_name(game: TableGame[Any, Any], state: Any, subject: int) -> str:
    """Name what a claim about a place (from 0) concerns: what lies there, or what its owner says."""
    place = game.screen(state, "referee")["places"][subject]
    if game.realms is not None and place["claim"]:
        # The name tells what lies at the place, but the claim concerns its owner.
        return text("{claim}?", claim=place["claim"])
    return text("{name}, {place}", name=place["name"], place=place_name(game.claim_station(state, subject)))


def message_of(game: TableGame[Any, Any], step: Step[Any, Any]) -> Message | None:
    """The sentence that narrates a step (one believed action); None if there is nothing to say."""
    return game.message(step.before, step.action, step.after)


def last_verdict(game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]]) -> Message | None:
    """The sentence about the last step if its action is a claim or ends the game; else None.

    `steps`: believed actions, oldest first.
    """
    if not steps:
        return None
    step = steps[-1]
    judged = game.claim_of(step.action) is not None or game.outcome(step.after) is not None
    return message_of(game, step) if judged else None


class Repair(NamedTuple):
    """What people hear when the companion revokes believed actions."""

    text: str
    """The correction in words; empty if there is nothing to say."""
    rest: tuple[Message, ...]
    """Further messages that replace revoked ones but do not fit into `text`; only for the log."""
    news: list[Step[Any, Any]]
    """Steps (believed actions) that replace nothing, and are announced as usual."""


def _unsaid(
    game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]], said: Counter[Message | None], last: float
) -> list[Step[Any, Any]]:
    """New steps whose message was not said before.

    `said`: message -> how often it was said and is not yet matched; each match lowers this number. An action
    that was taken back at once is left out, unless it is later than `last` (s).
    """
    void = _taken_back(steps)
    news = []
    for step in steps:
        if id(step) in void and step.t <= last:
            continue
        message = message_of(game, step)
        if said[message] > 0:
            said[message] -= 1
        else:
            news.append(step)
    return news


def repaired(
    game: TableGame[Any, Any],
    change: Change[Any, Any],
    unsaid: Iterable[Message] = (),
    *,
    answered: bool = False,
) -> Repair:
    """Make the announcement for a change of mind about actions.

    `change`: the revoked and the new steps (believed actions). The announcement says what happened instead,
    or else what did not happen. It is empty if all revoked messages are true again. A step later than every
    revoked one is announced as news. An action that was taken back at once is left out.

    `unsaid`: revoked messages that people have not heard. `answered`: people's answer to a question changed it.
    """
    last = max((step.t for step in change.revoked), default=0.0)
    void = _taken_back(change.revoked[::-1])
    said = Counter(message_of(game, step) for step in change.revoked if id(step) not in void)
    said.subtract(unsaid)
    news = _unsaid(game, change.steps, said, last)
    wrong = [message for message in said if message is not None and said[message] > 0]
    if not wrong:
        return Repair("", (), news)
    instead = [message for step in news if step.t <= last and (message := message_of(game, step)) is not None]
    told, rest = _short(NOW_KNOWN if answered else MISREAD, instead) if instead else _short(NOT_SO, wrong)
    return Repair(told, tuple(rest) if instead else (), [step for step in news if step.t > last])


def _short(sentence: Text, facts: Sequence[Message]) -> tuple[str, Sequence[Message]]:
    """Put as many facts into a sentence as FACTS and CORRECTION allow, at least one.

    Returns (the sentence, the other facts).
    """
    for number in range(min(FACTS, len(facts)), 1, -1):
        whole = sentence.of(told=sentences([fact.text for fact in facts[:number]]))
        if len(whole) <= CORRECTION:
            return whole, facts[number:]
    return sentence.of(told=facts[0].text), facts[1:]


def _taken_back(steps: Sequence[Step[Any, Any]]) -> set[int]:
    """Ids (`id()`) of the steps whose action was taken back in the next step, and of these next steps.

    `steps`: oldest first.
    """
    pairs = pairwise(steps)
    return {id(one) for done, back in pairs if isinstance(back.action, TakeBack) for one in (done, back)}


def question_of(
    tracker: Tracker[Any, Any], shown: Question, t: float, *, quiet_s: float, senses: Set[str]
) -> Question:
    """Choose the question that people should see at `t` (s).

    Its text is empty if there is none. `shown`: question on the screens now. `quiet_s`: time (s) since the
    last observation. `senses`: those of CAMERA and BOARD that work.

    If no history explains the observations, people are told at once. If the table differs from the state,
    they are told after PATIENCE_S, and what differs after EXACTLY_S. This question stays as long as the
    difference.
    """
    if tracker.asked is not None:
        return Question(tracker.asked.fact.question, YES_NO, tracker.asked.fact.id)
    if tracker.lost(t):
        if CAMERA in senses and not tracker.steps and not any(tracker.sensed.zones.values()):
            return Question(UNLAID)
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
