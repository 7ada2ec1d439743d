"""What players claim, and the verdicts on it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol

from companion.core.language import text
from companion.games.rules import A_contra, S_contra


class Verdict(StrEnum):
    """Companion's answer to a claim, e.g. "this princess sleeps".

    CANNOT_TELL: the known cards neither prove nor refute the claim.
    """

    PROVED = "proved"
    REFUTED = "refuted"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a claim, with reasons for people.

    Screens show `reasons` and `show` before any card is turned up. Both must reveal nothing of hidden cards
    beyond the verdict. `show` asks for the card that would decide an open claim; empty if none is needed.
    """

    verdict: Verdict
    reasons: tuple[str, ...]
    show: str
    counted: bool = False
    """True if the number of cards alone decides the verdict, whatever their kinds."""


class Claims(Protocol, Generic[S_contra, A_contra]):
    """What players can claim, and the verdicts on it.

    By default nothing. A claim's subject is what the claim is about: an index (from 0) into `places` of the
    public screen.
    """

    def claim_of(self, action: A_contra) -> tuple[int, bool | None] | None:
        """(subject from 0, outcome) of a claim; None for other actions.

        Outcome: True or False as the action says that the claim was right or wrong; None if it says
        neither.
        """
        return None

    def subject_at(self, state: S_contra, place: str) -> int | None:
        """The subject (from 0) whose cards and claim button are at the station `place`.

        None if there is none.
        """
        return None

    def claim_station(self, state: S_contra, subject: int) -> str:
        """Station whose button claims a subject (from 0).

        Inverse of `subject_at`. "" if nothing can be claimed.
        """
        return ""

    def claimable(self, state: S_contra, subject: int) -> str | None:
        """Why a subject (from 0) cannot be claimed now.

        A sentence for people; None if it can be claimed.
        """
        return text("Nothing is claimed in this game.")

    def judge(self, state: S_contra, subject: int) -> Judgement:
        """Decide a claim about a subject (from 0).

        Only the cards known in `state` count. By default the verdict is CANNOT_TELL.
        """
        return Judgement(Verdict.CANNOT_TELL, (), "")


class OpenRealms(Protocol, Generic[S_contra]):
    """Game part: each player's cards lie open, and the only claim is to have won.

    The win can be read off the open cards.
    """

    def judge_unread(self, state: S_contra, subject: int, cards: int) -> Judgement | None:
        """Judge a claimed win while some cards are unread.

        The cards are the player's. `subject`: the player (from 0). `cards`: number of cards that the camera has
        not read. None if they cannot change the verdict of `Claims.judge`.
        """
