"""Contradictions: verdicts that turned up cards disprove, and the detections that led to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from companion.fusion.detections import Detection
from companion.fusion.hypothesis import Step
from companion.fusion.parameters.sign_models import ON_PAD, SCALE_SIGNS
from companion.games.claims import Verdict
from companion.games.rules import A, S
from companion.games.signs import Verb
from companion.games.table_game import TableGame


class Turned(NamedTuple, Generic[S, A]):
    """Cards turned up at `t` (s) at a subject (from 0) after its claim was judged, which changed the published
    state."""

    t: float
    subject: int
    claim: Step[S, A]
    verdict: Verdict | None
    """What the cards settle by themselves, if anything: their order may stay unknown."""
    before: S
    after: S


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Cards at a subject (from 0) at `t` (s) that differ from the published state.

    `said`: the verdict that was given. `shown`: the one the cards give. `signs`: the detections by which the
    wrong cards had been identified or moved.
    """

    t: float
    subject: int
    said: Verdict
    shown: Verdict
    signs: tuple[Detection, ...]


def contradiction(
    game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]], turned: Turned[Any, Any]
) -> Contradiction:
    """The contradiction of cards turned up after a verdict; `steps`: all that were published by then."""
    said = verdict_said(game, turned.subject, turned.claim)
    return Contradiction(turned.t, turned.subject, said, turned.verdict or said, _believed(game, steps, turned))


def verdict_said(game: TableGame[Any, Any], subject: int, claim: Step[Any, Any]) -> Verdict:
    """The verdict that was given on a claim about a subject (from 0)."""
    said = game.judge(claim.before, subject).verdict
    if said is Verdict.CANNOT_TELL:
        outcome = game.claim_of(claim.action)
        said = Verdict.PROVED if outcome is not None and outcome[1] else Verdict.REFUTED
    return said


def _believed(
    game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]], turned: Turned[Any, Any]
) -> tuple[Detection, ...]:
    """The detections that identified the wrong cards and, where one was thought to lie elsewhere, that moved
    them."""
    before, after = _names(game, turned.before), _names(game, turned.after)
    others = {card for card in before if after[card][1] != before[card][1]}
    wrong = {card for card in others if game.subject_at(turned.before, before[card][0]) == turned.subject}
    verbs = ON_PAD if wrong == others else (*ON_PAD, *SCALE_SIGNS)
    found: dict[Detection, None] = {}
    for step in steps:
        was, is_now = _names(game, step.before), _names(game, step.after)
        if any(is_now.get(card) != was.get(card) for card in wrong):
            found |= dict.fromkeys(detection for detection in step.used if detection.sign.verb in verbs)
    # A scale that felt the card being dealt does not identify it.
    moved = [detection for detection in found if detection.sign.verb == Verb.LIFT]
    return tuple(detection for detection in found if moved or detection.sign.verb in ON_PAD)


def _names(game: TableGame[Any, Any], state: Any) -> dict[int, tuple[str, str]]:
    """Number of a hidden card -> (place, name)."""
    return {card: (place, name) for place, cards in game.hidden_layout(state).items() for card, name in cards}
