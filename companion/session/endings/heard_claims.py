"""Claims by button or key: announced on arrival, and called open if nothing decides them."""

from collections.abc import Iterable
from typing import Any

from companion.core.language import text
from companion.fusion.tracker import Tracker
from companion.games.claims import Verdict
from companion.games.table_game import TableGame
from companion.sensing.observation import Button, ManualEntry, Observation
from companion.session.narration import claim_heard, claimed
from companion.session.sensor_monitor import NOT_FOLLOWED, blind_spots, lost_claims
from companion.session.stream.events import Claimed, ClaimHeard, Said

HEARD_S = 3.0
"""Time (s) after a heard claim in which another press for the same place is ignored. A guess."""
SEVERAL_PRESSED = text("Many buttons were pressed. Turn up the cards that you mean.")


class HeardClaims:
    """The claims that people make by button or key, and the answer "cannot tell" to them."""

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self._game = game
        self._tracker = tracker
        self._told: set[tuple[float, int]] = set()
        """Claims that were called open: time (s), and claimed place (from 0)."""
        self._heard: ClaimHeard | None = None
        self._floods = 0
        """Number of announced floods (many buttons pressed at once)."""

    def hear(
        self, t: float, observations: Iterable[Observation], state: Any | None = None
    ) -> list[ClaimHeard | Said]:
        """Announce the claims among `observations`, before anybody judges them.

        People need the time to turn up the claimed cards. Call it after the tracker has processed
        `observations`. If many buttons are pressed at once (a flood), only one sentence is returned.

        `t`: time of the observations (s). `state`: game state published before them; None: the tracker's
        newest.
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
        """Return an answer "cannot tell" for each undecidable claim.

        A claim is undecidable if the published state cannot decide it. Each claim is answered once. `t`: time
        (s) of the answer.
        """
        events: list[Claimed] = []
        for claim in self._tracker.open_claims:
            if not self._first_told(claim.t, claim.subject):
                continue
            # Hidden cards determine whether the state alone could decide the claim, so the answer must not
            # depend on it.
            show = self._game.judge(self._tracker.state, claim.subject).show
            events.append(self._open(t, claim.subject, blind_spots(self._tracker, claim), show))
        for at, subject in lost_claims(t, self._tracker):
            if self._first_told(at, subject):
                events.append(self._open(t, subject, (NOT_FOLLOWED,), None))
        return events

    @property
    def waiting(self) -> tuple[int, ...]:
        """Claimed places (from 0) with the answer "cannot tell".

        The oldest claim comes first. Places where nothing can be claimed any more are left out.
        """
        state, told = self._tracker.state, self._told
        found = [one.subject for one in self._tracker.open_claims if (one.t, one.subject) in told]
        return tuple(one for one in dict.fromkeys(found) if self._game.claimable(state, one) is None)

    def name_again(self) -> None:
        """Forget all given answers "cannot tell".

        The claims are answered again, because a restart has cleared the answers from the screens.
        """
        self._told.clear()

    def _first_told(self, at: float, subject: int) -> bool:
        """Note that a claim was answered "cannot tell".

        Returns True at its first answer. `at`: time of the claim (s). `subject`: claimed place, from 0. Claims
        are not decided in the order of their times. So a time alone does not tell an old claim from a new one.
        """
        new = (at, subject) not in self._told
        self._told.add((at, subject))
        return new

    def _open(self, t: float, subject: int, reasons: tuple[str, ...], show: str | None) -> Claimed:
        state = self._tracker.state
        return claimed(self._game, state, t, subject, Verdict.CANNOT_TELL, reasons, show)
