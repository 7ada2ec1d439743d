"""Claims that wait until the camera has read their cards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.fusion.tracker import Tracker
from companion.games.claims import Judgement, Verdict
from companion.games.table_game import TableGame
from companion.sensing.observation import ManualEntry, Observation
from companion.session.narration import claimed
from companion.session.stream.events import Claimed

UNREAD_S = 2.0
"""Time (s) for which a card stays unread until people are told that their claim waits for it.

A hand may cover the card for a moment. A guess.
"""
EXPLAINED_S = 3.0
"""Time (s) after reading a card in which the tracker finds a move that explains the card. A guess."""
WAITS_S = 120.0
"""Longest time (s) that a claim waits for its cards to be read. The claim is then dropped.

A later decision would concern another position. A guess.
"""


@dataclass(slots=True)
class _Waiting:
    """A claim that waits for unread cards since `since` (s).

    `entry`: the claim. `told`: True if people know that it waits. `read_at`: time (s) at which its last card
    was read; None while a card is unread.
    """

    entry: ManualEntry
    since: float
    told: bool = False
    read_at: float | None = None


class UnreadClaims:
    """The claims that the tracker gets only once all cards at the claimed place are read.

    Only games with `OpenRealms` have such claims.
    """

    def __init__(self, game: TableGame[Any, Any], tracker: Tracker[Any, Any]) -> None:
        self._game = game
        self._tracker = tracker
        self._waiting: dict[int, _Waiting] = {}
        """Claimed place (from 0) -> its waiting claim."""

    @property
    def waiting(self) -> tuple[int, ...]:
        """Claimed places (from 0) whose claim waits for unread cards, and people were told so."""
        return tuple(subject for subject, one in self._waiting.items() if one.told)

    def proved(self, t: float) -> bool:
        """Remove a waiting claim that open cards prove at `t` (s); True if one was found.

        No move explains these cards, so the caller must replace the state by the table as it lies.
        """
        for subject, one in list(self._waiting.items()):
            due = one.read_at is not None and t - one.read_at >= EXPLAINED_S and self._unexplained(subject)
            lies = self._as_it_lies(t) if due else None
            if lies is not None and self._game.judge(lies, subject).verdict is Verdict.PROVED:
                del self._waiting[subject]
                return True
        return False

    def hold(self, t: float, observations: Sequence[Observation]) -> tuple[list[Observation], list[Claimed]]:
        """Hold back, release or answer claims about unread cards.

        `t`: time (s) of `observations`. Returns two lists. The first holds `observations` for the tracker,
        without the held claims and with the released ones. The second holds verdicts on claims that the
        tracker does not get.
        """
        passed = self._without_claims(t, observations)
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

    def _without_claims(self, t: float, observations: Sequence[Observation]) -> list[Observation]:
        """Keep claims about unread cards until they can be answered, and return all other observations."""
        passed: list[Observation] = []
        for seen in observations:
            subject = self._subject(seen)
            if subject is not None and isinstance(seen, ManualEntry):
                self._waiting.setdefault(subject, _Waiting(seen, t))
            else:
                passed.append(seen)
        return passed

    def _answer(self, t: float, subject: int, state: Any, said: Judgement) -> Claimed:
        show = said.show or None
        return claimed(self._game, state, t, subject, said.verdict, said.reasons, show)

    def _as_it_lies(self, t: float) -> Any:
        """The game state that the table shows at `t` (s); None if the rules allow no such state."""
        try:
            return self._tracker.proposal(t).state
        except ValueError:
            return None

    def _subject(self, seen: Observation) -> int | None:
        """The claimed place (from 0) if `seen` is a claim that must wait; else None."""
        match seen:
            case ManualEntry(_, "claim", {"station": str(station)}):
                subject = self._game.subject_at(self._tracker.state, station)
                waits = subject is not None and (self._unread(subject) or self._unexplained(subject))
                return subject if waits else None
        return None

    def _unread(self, subject: int) -> Judgement | None:
        """The answer to a claim about a place (from 0) while cards there are unread.

        None if no card there is unread, or if the unread cards cannot change the verdict.
        """
        place, sensed = self._game.claim_station(self._tracker.state, subject), self._tracker.sensed
        believed = self._game.expected_view(self._tracker.state).zones.get(place, ())
        more = len(sensed.zones.get(place, ())) + sensed.unread.get(place, 0) - len(believed)
        unread = min(more, sensed.unread.get(place, 0))
        return self._judged(subject, unread) if unread > 0 else None

    def _unexplained(self, subject: int) -> bool:
        """True if cards were read at a place (from 0) that the state does not have there.

        Always False at places where cards lie hidden, and in games whose claims never wait.
        """
        state = self._tracker.state
        place = self._game.claim_station(state, subject)
        believed = self._game.expected_view(state).zones.get(place, ())
        news = Counter(self._tracker.sensed.zones.get(place, ())) - Counter(believed)
        return bool(news) and self._judged(subject, news.total()) is not None

    def _judged(self, subject: int, unread: int) -> Judgement | None:
        realms = self._game.realms
        return realms.judge_unread(self._tracker.state, subject, unread) if realms else None
