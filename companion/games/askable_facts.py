"""Askable facts: past actions that players confirm or deny."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from companion.core.language import sentences, text


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
