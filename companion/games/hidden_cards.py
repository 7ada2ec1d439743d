"""Hidden cards of a game: stacks that claims are about, hands, and facts that players can be asked."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol

from companion.core.language import sentences, text
from companion.games.claims import Verdict
from companion.games.rules import A_contra, S, S_contra


@dataclass(frozen=True, slots=True)
class AskableFact:
    """Past action that players confirm or deny: was it done?

    `turn`: of the action, from 1. `question`: yes-or-no question to players. `id`: made of action, player,
    place and turn, but no hidden card. Facts with equal `turn` and `id` are equal.
    """

    turn: int
    question: str = field(compare=False)
    id: str


def numbered(facts: Iterable[AskableFact]) -> list[AskableFact]:
    """Make facts' ids unique: a turn may have equal facts.

    Of equal facts the second gets the suffix ":2", the third ":3", and a question that asks for more than once.
    """
    found: list[AskableFact] = []
    times: Counter[AskableFact] = Counter()
    for one in facts:
        times[one] += 1
        again = sentences([one.question, text("More than once in that turn?")])
        found.append(replace(one, question=again, id=f"{one.id}:{times[one]}") if times[one] > 1 else one)
    return found


@dataclass(frozen=True, slots=True)
class Reveal(Generic[S]):
    """The state after a claim's cards were all turned up.

    `state`: the game with those cards known. `wrong`: number of cards that differ from what was believed.
    `verdict`: what these cards alone prove about the claim; None if nothing.
    """

    state: S
    wrong: int
    verdict: Verdict | None
    all_known: bool = field(default=True, compare=False)
    """True if every card of the subject was identified, False if some stay unknown."""


class HiddenStacks(Protocol, Generic[S, A_contra]):
    """Stacks of hidden cards: players make claims about them, and turned up cards decide a claim."""

    def reveal(self, state: S, subject: int, kinds: tuple[str, ...]) -> Reveal[S] | None:
        """Enter a claim's turned up cards into the state.

        `subject`: from 0. `kinds`: kinds of the cards seen, sorted. None if they cannot have lain there.
        """

    def proof(self, state: S, subject: int) -> tuple[str, ...]:
        """Sorted kinds of the cards that would prove a claim about a subject (from 0)."""

    def corrected(self, state: S, subject: int, verdict: Verdict) -> str:
        """Sentence for people: turned up cards changed a claim's verdict.

        `subject`: what was claimed, from 0. `verdict`: the new verdict.
        """

    def askable_fact(self, before: S, action: A_contra) -> AskableFact | None:
        """Yes-or-no question: was `action` really done in state `before`?

        Players are asked. None if no player may know, or if the action is neither a claim nor a move of
        hidden cards.
        """

    def proved_fact(self, state: S, subject: int) -> AskableFact:
        """Yes-or-no question: did unseen cards prove a claim?

        The camera missed or perhaps misread them. Players are asked. `subject`: what was claimed, from 0.
        """

    def claimed_fact(self, state: S, subject: int) -> AskableFact:
        """Yes-or-no question: did anybody mean to claim a subject?

        Players are asked. Subjects count from 0. Asked if the companion judged a claim but saw no card
        turned up.
        """


class HiddenHands(Protocol, Generic[S_contra]):
    """Hands of cards that only their players see."""

    def hand_cards(self, state: S_contra) -> Sequence[Mapping[str, Any]]:
        """Every kind that hidden hands may hold, as `CardView` fields.

        A touch screen lists them to pick from.
        """

    def private_corner(self, players: int, options: Collection[str]) -> str:
        """Mat zone where the camera alone sees a player's hand.

        Empty if there is none.

        `options`: switched on options of the game. Cards seen there are used for that player's hints only.
        """
        return ""
