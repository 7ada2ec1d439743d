"""Claims of a recorded game that no action answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from companion.fusion.beam import DETECTION_LIFE_S
from companion.fusion.claims.button_floods import ButtonFloods
from companion.games.api import TableGame, Verdict
from companion.sensing.observation import Button, ManualEntry, Observation
from companion.session.events import Claimed
from companion.session.narration import claim_heard, claimed

MEANT_S = 10.0
"""Age (s) up to which a claim may be meant by a verdict at another place.
A guess: buttons may be crossed."""


class UnansweredClaim(NamedTuple):
    """Claim that was heard: time since the first line (s), subject (from 0), press (s).

    `verdict` is the one that it has if it stays unanswered.
    """

    at: float
    subject: int
    verdict: Claimed
    pressed: float


@dataclass(slots=True)
class UnansweredClaims:
    """Presses and keys that claim something, until a verdict answers them. Floods are left out."""

    game: TableGame[Any, Any]
    floods: ButtonFloods
    paused: bool = False
    unanswered: list[UnansweredClaim] = field(default_factory=list)

    def hear(self, at: float, observations: Sequence[Observation], state: Any) -> None:
        """Note the claims in a batch, before its effects.

        `at` is since the first line (s).
        """
        self.floods.hear(observations)
        for seen in observations:
            match seen:
                case ManualEntry(_, "pause", args):
                    self.paused = bool(args.get("paused"))
                case Button(t, station) | ManualEntry(t, "claim", {"station": str(station)}):
                    if not self.paused and claim_heard(self.game, state, at, station) is not None:
                        self._note(at, station, state, t)
        self.unanswered = [one for one in self.unanswered if not self.floods.includes(one.pressed)]

    def _note(self, at: float, station: str, state: Any, pressed: float) -> None:
        subject = self.game.subject_at(state, station)
        # Pressing the button of an open claim again makes no new claim.
        again = any(one.subject == subject for one in self._lately(at))
        if subject is not None and not again:
            verdict = claimed(self.game, state, at, subject, Verdict.CANNOT_TELL, ())
            self.unanswered.append(UnansweredClaim(at, subject, verdict, pressed))

    def answered(self, at: float, subject: int) -> None:
        """Remove the claims that a verdict on a subject (from 0) answers."""
        lately = self._lately(at)
        meant = [one for one in lately if one.subject == subject]
        meant = meant or [one for one in lately if at - one.at < MEANT_S][-1:]
        rest = [one for one in lately if one not in meant]
        self.unanswered[len(self.unanswered) - len(lately) :] = rest

    def _lately(self, at: float) -> list[UnansweredClaim]:
        """Latest claims that a verdict at `at` (s) may still answer, oldest first."""
        found = [*takewhile(lambda one: at - one.at < DETECTION_LIFE_S, reversed(self.unanswered))]
        return found[::-1]
