"""Claims decided by cards that lie open: they wait while the camera cannot read one of them that matters."""

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
"""UNREAD_S: a card is unread for this long (s) after a claim before people are told: a hand may cover it."""
EXPLAINED_S = 3.0
"""EXPLAINED_S: time (s) in which a move is found that explains cards which were read late."""
WAITS_S = 120.0
"""WAITS_S: longest time (s) that a claim waits for its cards: later it would be about another position."""


@dataclass(slots=True)
class _Waiting:
    """A claim at `since` (s): whether people were told that it waits, and since when (s) all is read."""

    entry: ManualEntry
    since: float
    told: bool = False
    read_at: float | None = None


class UnreadClaims:
    """Keeps the claims of one game from the tracker until their cards are read.

    Only in games that judge such claims (`Announcements.judge_unread`).
    """

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self._game = game
        self._tracker = tracker
        self._waiting: dict[int, _Waiting] = {}
        """Subject (from 0) -> its claim."""

    @property
    def waiting(self) -> tuple[int, ...]:
        """Subjects (from 0) of the claims of which people were told that they wait for their cards."""
        return tuple(subject for subject, one in self._waiting.items() if one.told)

    def proved(self, t: float) -> bool:
        """Whether at `t` (s) all cards of a waiting claim are read and prove it, but no move explains them:
        what lies there has to be taken over. The claim waits no more then."""
        for subject, one in list(self._waiting.items()):
            due = one.read_at is not None and t - one.read_at >= EXPLAINED_S and self._unexplained(subject)
            lies = self._as_it_lies(t) if due else None
            if lies is not None and self._game.judge(lies, subject).verdict is Verdict.PROVED:
                del self._waiting[subject]
                return True
        return False

    def hold(self, t: float, observations: Sequence[Observation]) -> tuple[list[Observation], list[Claimed]]:
        """What of a batch at `t` (s) the tracker gets now, with claims that waited; and answers to others."""
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
        """The state that the table shows at `t` (s); None if that cannot be."""
        try:
            return self._tracker.proposal(t).state
        except ValueError:
            return None

    def _subject(self, seen: Observation) -> int | None:
        """Whom a claim by key is about (from 0), if it may have to wait; None for anything else."""
        match seen:
            case ManualEntry(_, "claim", {"station": str(station)}):
                subject = self._game.subject_at(self._tracker.state, station)
                waits = subject is not None and (self._unread(subject) or self._unexplained(subject))
                return subject if waits else None
        return None

    def _unread(self, subject: int) -> Judgement | None:
        """What is said while cards at the place of a subject (from 0) are unread; None if none matters."""
        place, sensed = self._game.claim_station(self._tracker.state, subject), self._tracker.sensed
        believed = self._game.expected_view(self._tracker.state).zones.get(place, ())
        more = len(sensed.zones.get(place, ())) + sensed.unread.get(place, 0) - len(believed)
        unread = min(more, sensed.unread.get(place, 0))
        return self._game.judge_unread(self._tracker.state, subject, unread) if unread > 0 else None

    def _unexplained(self, subject: int) -> bool:
        """Whether cards that the state does not have are read at the place of a subject (from 0), where all lie
        open."""
        state = self._tracker.state
        place = self._game.claim_station(state, subject)
        believed = self._game.expected_view(state).zones.get(place, ())
        news = Counter(self._tracker.sensed.zones.get(place, ())) - Counter(believed)
        return bool(news) and self._game.judge_unread(state, subject, news.total()) is not None
