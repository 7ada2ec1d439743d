"""Claims that wait until the camera reads their open cards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.fusion.tracker import Tracker
from companion.games.api import Judgement, TableGame, Verdict
from companion.sensing.observation import ManualEntry, Observation
from companion.session.narration import claimed
from companion.session.stream.events import Claimed

UNREAD_S = 2.0
"""Time (s) for which a card stays unread before people hear that a claim waits.

A hand may cover the card for a moment. A guess.
"""
EXPLAINED_S = 3.0
"""Time (s) in which a move for late cards is found. A guess."""
WAITS_S = 120.0
"""Longest time (s) that a claim waits for its cards.

A later decision would concern another position. A guess.
"""


@dataclass(slots=True)
class _Waiting:
    """A claim that waits since `since` (s).

    `told`: people know it. `read_at`: time (s) since when all its cards are read.
    """

    entry: ManualEntry
    since: float
    told: bool = False
    read_at: float | None = None


class UnreadClaims:
    """Claims kept from the tracker until their cards are read.

    Only games that judge such claims (`Announcements.judge_unread`) have any.
    """

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self._game = game
        self._tracker = tracker
        self._waiting: dict[int, _Waiting] = {}
        """Claimed place (from 0) -> its waiting claim."""

    @property
    def waiting(self) -> tuple[int, ...]:
        """Claimed places (from 0) about whose wait people were told."""
        return tuple(subject for subject, one in self._waiting.items() if one.told)

    def proved(self, t: float) -> bool:
        """True if open cards prove a waiting claim at `t` (s).

        No move explains these cards. The table must then be adopted. The claim is removed.
        """
        for subject, one in list(self._waiting.items()):
            due = one.read_at is not None and t - one.read_at >= EXPLAINED_S and self._unexplained(subject)
            lies = self._as_it_lies(t) if due else None
            if lies is not None and self._game.judge(lies, subject).verdict is Verdict.PROVED:
                del self._waiting[subject]
                return True
        return False

    def hold(self, t: float, observations: Sequence[Observation]) -> tuple[list[Observation], list[Claimed]]:
        """Hold back claims with unread cards, and release others.

        `t`: time (s) of the batch. Returns the observations for the tracker, and answers to claims that were
        kept from it.
        """
        passed: list[Observation] = []
        for seen in observations:
            subject = self._subject(seen)
            if subject is not None and isinstance(seen, ManualEntry):
                self._waiting.setdefault(subject, _Waiting(seen, t))
            else:
                passed.append(seen)
        said: list[Claimed] = []
        for subject, one in list(self._waiting.items()):
            state = self._tracker.state
            if self._game.claimable(state, subject) is not None or t - one.since > WAITS_S:
                del self._waiting[subject]
            elif (judgement := self._unread(subject)) is not None:
                one.read_at = None
                if not one.told and t - one.since >= UNREAD_S:
                    one.told = True
                    said.append(self._answer(t, subject, state, judgement))
            elif self._unexplained(subject) and t - (one.read_at or t) <= EXPLAINED_S:
                one.read_at = one.read_at or t
            else:
                del self._waiting[subject]
                lies = self._as_it_lies(t) if self._unexplained(subject) else None
                if lies is None:
                    passed.append(ManualEntry(t, one.entry.what, one.entry.args))
                else:
                    said.append(self._answer(t, subject, lies, self._game.judge(lies, subject)))
        return passed, said

    def _answer(self, t: float, subject: int, state: Any, said: Judgement) -> Claimed:
        show = said.show or None
        return claimed(self._game, state, t, subject, said.verdict, said.reasons, show)

    def _as_it_lies(self, t: float) -> Any:
        """The state if the table is adopted at `t` (s).

        None if the table is impossible.
        """
        try:
            return self._tracker.proposal(t).state
        except ValueError:
            return None

    def _subject(self, seen: Observation) -> int | None:
        """The place (from 0) of a claim that may have to wait.

        None for any other observation.
        """
        match seen:
            case ManualEntry(_, "claim", {"station": str(station)}):
                subject = self._game.subject_at(self._tracker.state, station)
                waits = subject is not None and (self._unread(subject) or self._unexplained(subject))
                return subject if waits else None
        return None

    def _unread(self, subject: int) -> Judgement | None:
        """The judgement while cards at a place (from 0) are unread.

        None if no unread card matters.
        """
        place, sensed = self._game.claim_station(self._tracker.state, subject), self._tracker.sensed
        believed = self._game.expected_view(self._tracker.state).zones.get(place, ())
        more = len(sensed.zones.get(place, ())) + sensed.unread.get(place, 0) - len(believed)
        unread = min(more, sensed.unread.get(place, 0))
        return self._game.judge_unread(self._tracker.state, subject, unread) if unread > 0 else None

    def _unexplained(self, subject: int) -> bool:
        """True if cards that the state lacks are read at a place (from 0) where all cards lie open."""
        state = self._tracker.state
        place = self._game.claim_station(state, subject)
        believed = self._game.expected_view(state).zones.get(place, ())
        news = Counter(self._tracker.sensed.zones.get(place, ())) - Counter(believed)
        return bool(news) and self._game.judge_unread(state, subject, news.total()) is not None
