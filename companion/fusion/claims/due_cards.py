"""Cards that are due after a claim or at the end of the game, and were not seen turned up."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import inf
from typing import Generic, NamedTuple

from companion.fusion.beam import Beam
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.hypothesis import Step
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.sensors import DETECTIONS
from companion.games.claims import Verdict
from companion.games.hidden_cards import AskableFact
from companion.games.rules import A, S
from companion.games.signs import Verb
from companion.games.table_game import TableGame, askable_fact, revealed


@dataclass(frozen=True, slots=True)
class OpenClaim:
    """A claim that cannot be decided: its time (s), what it is about (from 0), and whether its cards should be
    weighed again."""

    t: float
    subject: int
    uncounted: bool = False


class Unseen(NamedTuple):
    """Cards that the camera did not see turned up: the subject (from 0) of their claim, and whether the end of
    the game turns them up without one."""

    subject: int
    at_end: bool
    misread: bool = False
    """Whether they were seen, and may be misread: then they were claimed indeed."""


class DueCards(Generic[S, A]):
    """Knows when cards were last turned up, and says which ought to have been since."""

    def __init__(self, game: TableGame[S, A], near: float) -> None:
        """`near`: what a hypothesis may cost above the best (nats) for the end of the game to be due by it."""
        self._game = game
        self._near = near
        self._shown_at: dict[int, float] = {}
        """Subject of claims (from 0) -> when cards or the tile were last seen face up there (s)."""
        self._endings: dict[S, frozenset[int]] = {}
        """State -> the subjects (from 0) that the end of the game turns up next."""

    def note(self, detections: Iterable[Detection], published: S) -> None:
        """Note what was turned up at the subjects of a `published` state."""
        for detection in detections:
            verb, place, _ = detection.sign
            subject = self._game.subject_at(published, place) if verb == Verb.CAME else None
            if subject is not None:
                self._shown_at[subject] = max(detection.t, self._shown_at.get(subject, -inf))

    def lapsed(self, t: float, sensed: SensedTable, steps: Sequence[Step[S, A]]) -> AskableFact | None:
        """The latest published claim after which nothing was turned up although the camera watched; None if
        there is none."""
        lately = takewhile(lambda step: t - step.t < DETECTIONS.life_s, reversed(steps))
        for step in lately if sensed.zones and "camera" not in sensed.silent else ():
            claim = self._game.claim_of(step.action)
            if claim is None:
                continue
            # A step that was found again may be much younger than its button.
            pressed = max((one.t for one in step.used if one.sign.verb == Verb.PRESS), default=inf)
            if t - pressed < CLAIM.lapsed_s:
                continue
            place = self._game.claim_station(step.before, claim[0])
            if not self._game.hidden_layout(step.before).get(place):
                continue  # nothing lies there that could be turned up
            if self._shown_at.get(claim[0], -inf) < pressed - CLAIM.early_s and sensed.back["camera"] < pressed:
                return askable_fact(self._game, step.before, step.action)
        return None

    def unseen(
        self,
        t: float,
        claims: Iterable[OpenClaim],
        beam: Beam[S, A],
        published: S,
        doubtful: Collection[int] = (),
    ) -> Unseen | None:
        """Cards that had to be turned up, where the camera saw none, and no scale tells how many there are;
        None if there are none. `claims`: those that are open. `doubtful`: subjects (from 0) of those whose
        cards it saw and may have misread."""
        sensed = beam.sensed
        if not sensed.zones or "camera" in sensed.silent:
            return None
        due = {one.subject: (one.t - CLAIM.early_s, one.t + CLAIM.unshown_s) for one in claims}
        at_end = self._due_at_end(t, beam)
        for subject, (since, at) in sorted({**at_end, **due}.items()):
            place = self._game.claim_station(published, subject)
            seen = max(self._shown_at.get(subject, -inf), sensed.back["camera"]) >= since
            if t >= at and subject in doubtful:
                return Unseen(subject, at_end=False, misread=True)
            if t >= at and not seen and place not in sensed.counts and not sensed.zones.get(place):
                return Unseen(subject, at_end=subject in at_end and subject not in due)
        return None

    def proved_unseen(
        self, t: float, claims: Iterable[OpenClaim], sensed: SensedTable, published: S
    ) -> list[int]:
        """The subjects (from 0) of open claims whose tile lies there, which is laid only where a claim was
        proved. Their cards were due and not seen, or known by their art, and one of them was misread."""
        found = []
        for claim in claims:
            place = self._game.claim_station(published, claim.subject)
            lying = sensed.zones.get(place)
            if not lying or t - claim.t < CLAIM.unshown_s or place in sensed.counts:
                continue
            shown = revealed(self._game, published, claim.subject, lying)
            lately = (one for one in sensed.detections if one.t >= claim.t - CLAIM.early_s)
            came = [one for one in lately if one.sign[:2] == (Verb.CAME, place)]
            tile = any(one.sign.kinds == lying for one in came)
            unsure = all(one.by_art or one.sign.kinds == lying for one in came)
            if tile and unsure and shown is not None and shown.verdict is Verdict.PROVED:
                found.append(claim.subject)
        return found

    def _due_at_end(self, t: float, beam: Beam[S, A]) -> dict[int, tuple[float, float]]:
        """Subject (from 0) that the end of the game turns up -> from when on (s), and when it is overdue (s).

        By the best hypothesis, or a near one if cards were turned up since: without all of them none of them
        explains those.
        """
        shown = max(self._shown_at.values(), default=-inf)
        for total_cost, hypothesis in beam.scored:
            began = inf if hypothesis.step is None else hypothesis.step.t
            near = hypothesis is beam.best or (shown > began and total_cost <= beam.scored[0][0] + self._near)
            if (
                near
                and t - max(began, shown) >= CLAIM.unshown_s
                and (subjects := self._turned_up_last(hypothesis.state))
            ):
                due = shown + CLAIM.unshown_s if shown > began else began + CLAIM.lapsed_s
                return dict.fromkeys(subjects, (began, due))
        return {}

    def _turned_up_last(self, state: S) -> frozenset[int]:
        """The subjects (from 0) that the end of the game turns up, if that comes next."""
        if self._game.expected_view(state).counts:
            return frozenset()  # at the end nothing that is weighed counts any more
        found = self._endings.get(state)
        if found is None:
            signs = (self._game.signs(state, action) for action in self._game.legal_actions(state))
            places = {place for one in signs for verb, place, _ in one if verb == Verb.SHOWN}
            subjects = (self._game.subject_at(state, place) for place in places)
            found = frozenset(one for one in subjects if one is not None)
            if len(self._endings) >= CLAIM.endings_kept:
                self._endings.clear()
            self._endings[state] = found
        return found
