"""Default members of `TableGame` for games by camera alone: no options, no claims, nobody is asked."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.api import Judgement, Reveal, Verdict
from companion.games.askable_facts import AskableFact
from companion.games.signs import Sign


class CameraGameDefaults:
    """Members of a game that only a camera watches: no options, hidden places or claims.

    A game overrides what differs.
    """

    options: Mapping[str, str] = MappingProxyType({})
    claims_wins = False

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """No zone: players show no hand to the camera."""
        return ""

    def already_known(self, state: Any, sign: Sign) -> bool:
        """False: every sign needs an action as its cause."""
        return False

    def hidden_layout(self, state: Any) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """Empty: no card lies hidden at a station."""
        return {}

    def claim_of(self, action: Any) -> tuple[int, bool | None] | None:
        """None: no action is a claim."""
        return None

    def subject_at(self, state: Any, place: str) -> int | None:
        """None: no place has a claim button."""
        return None

    def claim_station(self, state: Any, subject: int) -> str:
        """Empty: no place has a claim button."""
        return ""

    def claimable(self, state: Any, subject: int) -> str | None:
        """Reason why nothing can be claimed: the game has no claims."""
        return "Nothing is claimed in this game."

    def judge(self, state: Any, subject: int) -> Judgement:
        """CANNOT_TELL: the game has no claims."""
        return Judgement(Verdict.CANNOT_TELL, (), "")

    def judge_unread(self, state: Any, subject: int, cards: int) -> Judgement | None:
        """None: unread cards change no verdict."""
        return None

    def reveal(self, state: Any, subject: int, kinds: tuple[str, ...]) -> Reveal[Any] | None:
        """None: no turned up card decides a claim."""
        return None

    def corrected(self, state: Any, subject: int, verdict: Verdict) -> str:
        """Empty: no turned up card corrects a verdict."""
        return ""

    def take_names(self, names: Sequence[str]) -> None:
        """Refuse every name with ValueError: the rulebook names all characters."""
        if names:
            raise ValueError("nobody of this game is without a name")

    def askable_fact(self, before: Any, action: Any) -> AskableFact | None:
        """None: nobody is asked, because all actions lie open."""
        return None

    def proved_fact(self, state: Any, subject: int) -> AskableFact | None:
        """None: the game has no claims."""
        return None

    def claimed_fact(self, state: Any, subject: int) -> AskableFact | None:
        """None: the game has no claims."""
        return None

    def proof(self, state: Any, subject: int) -> tuple[str, ...]:
        """Empty: the game has no claims."""
        return ()

    def untold(self, before: Any, action: Any) -> str:
        """Empty: an action without a line has no words."""
        return ""

    def hand_cards(self, state: Any) -> Sequence[Mapping[str, Any]]:
        """Empty: no player reads a hand by touch."""
        return ()

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """False: no card asks for a hint."""
        return False
