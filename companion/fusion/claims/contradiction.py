"""Claims that the cards contradict: what was said, what they show, and which signs had been believed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from companion.fusion.detections import Detection
from companion.fusion.hypothesis import Step
from companion.fusion.sensors import ON_PAD, SCALES
from companion.games.api import TableGame, Verdict

S = TypeVar("S")
A = TypeVar("A")

TURNED_UP_S = 20.0
"""So long after a verdict what is turned up on its bed confirms or contradicts it."""


class Turned(NamedTuple, Generic[S, A]):
    """Cards that were turned up at `t` (s) on a bed (from 0), after the claim that had been judged, and changed
    what is told."""

    t: float
    bed: int
    claim: Step[S, A]
    verdict: Verdict | None
    """What the cards settle by themselves, if anything: which of them is which may stay unknown."""
    before: S
    after: S


@dataclass(frozen=True, slots=True)
class Contradiction:
    """When (s) cards on a bed (from 0) showed something else than was believed: the verdict that was given, the
    one that they give, and the signs by which the cards that are others had been known or moved."""

    t: float
    bed: int
    said: Verdict
    shown: Verdict
    signs: tuple[Detection, ...]


def contradiction(
    game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]], turned: Turned[Any, Any]
) -> Contradiction:
    """What cards say that were turned up after a verdict; `steps` are all that were believed by then."""
    said = game.judge(turned.claim.before, turned.bed).verdict
    if said is Verdict.CANNOT_TELL:
        claim = game.claim_of(turned.claim.action)
        said = Verdict.PROVED if claim is not None and claim[1] else Verdict.REFUTED
    return Contradiction(turned.t, turned.bed, said, turned.verdict or said, _believed(game, steps, turned))


def _believed(
    game: TableGame[Any, Any], steps: Sequence[Step[Any, Any]], turned: Turned[Any, Any]
) -> tuple[Detection, ...]:
    """The signs behind what was wrong: those by which the cards had been known and, where one turns up that was
    thought to lie elsewhere, those by which they had been moved."""
    before, after = _names(game, turned.before), _names(game, turned.after)
    others = {card for card in before if after[card][1] != before[card][1]}
    wrong = {card for card in others if game.place_of_claim(turned.before, before[card][0]) == turned.bed}
    verbs = ON_PAD if wrong == others else (*ON_PAD, *SCALES)
    found: dict[Detection, None] = {}
    for step in steps:
        was, is_now = _names(game, step.before), _names(game, step.after)
        if any(is_now.get(card) != was.get(card) for card in wrong):
            found |= dict.fromkeys(detection for detection in step.used if detection.sign[0] in verbs)
    # A scale that felt the mattress being dealt says nothing of what it is.
    moved = [detection for detection in found if detection.sign[0] == "lift"]
    return tuple(detection for detection in found if moved or detection.sign[0] in ON_PAD)


def _names(game: TableGame[Any, Any], state: Any) -> dict[int, tuple[str, str]]:
    """By number of a hidden card, where it lies and what it is called."""
    return {card: (place, name) for place, cards in game.hidden_layout(state).items() for card, name in cards}
