"""Claims as the session hears them: each is told at once, and one that cannot be settled is said to be open."""

from collections.abc import Iterable
from typing import Any

from companion.core.language import text
from companion.fusion.tracker import Tracker
from companion.games.api import TableGame, Verdict
from companion.sensing.observation import Button, ManualEntry, Observation
from companion.session.narration import claim_heard, claimed
from companion.session.sensor_monitor import NOT_FOLLOWED, blind_spots, lost_claims
from companion.session.stream.events import Claimed, ClaimHeard, Said

HEARD_S = 3.0
"""HEARD_S: a button that is pressed again within this time (s) means the same claim."""
SEVERAL_PRESSED = text("Many buttons were pressed. Turn up the cards that you mean.")


class HeardClaims:
    """The claims of one game that were heard, from a button or a key."""

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self._game = game
        self._tracker = tracker
        self._told: set[tuple[float, int]] = set()
        """When each claim was made that was said to be open (s), and its subject (from 0)."""
        self._heard: ClaimHeard | None = None
        self._floods = 0
        """Number of floods that were told."""

    def hear(
        self, t: float, observations: Iterable[Observation], state: Any | None = None
    ) -> list[ClaimHeard | Said]:
        """Tell which claims were heard in a batch that the tracker has taken, before they are judged: turning
        up cards takes people a moment. `state`: what was published before.

        Of a flood one line is told, when it begins.
        """
        state = self._tracker.state if state is None else state
        told: list[ClaimHeard | Said] = []
        for seen in observations:
            match seen:
                case Button():
                    station = self._tracker.meant(seen)
                case ManualEntry(_, "claim", {"station": str(station)}):
                    pass
                case _:
                    continue
            heard, before = claim_heard(self._game, state, t, station), self._heard
            if heard is None or (before and before.subject == heard.subject and t - before.t < HEARD_S):
                continue
            if not self._tracker.floods.includes(seen.t):
                self._heard = heard
                told.append(heard)
        floods = self._tracker.floods.found
        for _, last, places in floods[self._floods :]:
            if any(claim_heard(self._game, state, t, place) is not None for place in places):
                told.append(Said(last, SEVERAL_PRESSED, "notice"))
        self._floods = len(floods)
        return told

    def left_open(self, t: float) -> list[Claimed]:
        """Answer claims that the published state cannot settle: say so, and which card to show the camera."""
        events: list[Claimed] = []
        for claim in self._tracker.open_claims:
            if not self._first_told(claim.t, claim.subject):
                continue
            # Whether the state alone would settle it follows from hidden cards, so the answer must not depend
            # on that.
            show = self._game.judge(self._tracker.state, claim.subject).show
            events.append(self._open(t, claim.subject, blind_spots(self._tracker, claim), show))
        for at, subject in lost_claims(t, self._tracker):
            if self._first_told(at, subject):
                events.append(self._open(t, subject, (NOT_FOLLOWED,), None))
        return events

    @property
    def waiting(self) -> tuple[int, ...]:
        """Subjects (from 0) of the claims that were said to be open and may still be settled, oldest first."""
        state, told = self._tracker.state, self._told
        found = [one.subject for one in self._tracker.open_claims if (one.t, one.subject) in told]
        return tuple(one for one in dict.fromkeys(found) if self._game.claimable(state, one) is None)

    def name_again(self) -> None:
        """Say once more which claims are open: nobody saw it."""
        self._told.clear()

    def _first_told(self, at: float, subject: int) -> bool:
        """Whether this claim was not said to be open before; from now on it was. Claims are not decided in the
        order in which they are made, so their times alone do not tell."""
        new = (at, subject) not in self._told
        self._told.add((at, subject))
        return new

    def _open(self, t: float, subject: int, reasons: tuple[str, ...], show: str | None) -> Claimed:
        state = self._tracker.state
        return claimed(self._game, state, t, subject, Verdict.CANNOT_TELL, reasons, show)
