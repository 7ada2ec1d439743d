"""Members of `TableGame` that most games by camera alone share; a game replaces those that differ."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.games.api import Judgement, Reveal, Verdict
from companion.games.askable_facts import AskableFact
from companion.games.signs import Sign


class CameraGameDefaults:
    """A game without options in which nothing is claimed and nobody has to be asked."""

    options: Mapping[str, str] = MappingProxyType({})
    claims_wins = False

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """Nobody shows a hand to the camera."""
        return ""

    def already_known(self, state: Any, sign: Sign) -> bool:
        """No sign repeats what the state says."""
        return False

    def hidden_layout(self, state: Any) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """No card lies hidden at a place of its own."""
        return {}

    def claim_of(self, action: Any) -> tuple[int, bool | None] | None:
        """No action is a claim."""
        return None

    def subject_at(self, state: Any, place: str) -> int | None:
        """No place has a claim button."""
        return None

    def claim_station(self, state: Any, subject: int) -> str:
        """No place has a claim button."""
        return ""

    def claimable(self, state: Any, subject: int) -> str | None:
        """Nothing can be claimed."""
        return "Nothing is claimed in this game."

    def judge(self, state: Any, subject: int) -> Judgement:
        """Nothing can be said of what cannot be claimed."""
        return Judgement(Verdict.CANNOT_TELL, (), "")

    def judge_unread(self, state: Any, subject: int, cards: int) -> Judgement | None:
        """Unread cards change no claim."""
        return None

    def reveal(self, state: Any, subject: int, kinds: tuple[str, ...]) -> Reveal[Any] | None:
        """Nothing is turned up to settle a claim."""
        return None

    def corrected(self, state: Any, subject: int, verdict: Verdict) -> str:
        """Nothing is turned up that could correct a verdict."""
        return ""

    def take_names(self, names: Sequence[str]) -> None:
        """Nobody is without a name: ValueError for any that is given."""
        if names:
            raise ValueError("nobody of this game is without a name")

    def askable_fact(self, before: Any, action: Any) -> AskableFact | None:
        """Nobody has to be asked: what is done lies open."""
        return None

    def proved_fact(self, state: Any, subject: int) -> AskableFact | None:
        """Nothing is claimed."""
        return None

    def claimed_fact(self, state: Any, subject: int) -> AskableFact | None:
        """Nothing is claimed."""
        return None

    def proof(self, state: Any, subject: int) -> tuple[str, ...]:
        """Nothing is claimed."""
        return ()

    def untold(self, before: Any, action: Any) -> str:
        """Every action has a line, or no words."""
        return ""

    def hand_cards(self, state: Any) -> Sequence[Mapping[str, Any]]:
        """None: nobody tells a hand by touch."""
        return ()

    def wants_hint(self, zone: str, cards: Collection[str]) -> bool:
        """No card asks for a hint."""
        return False
