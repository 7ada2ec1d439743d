"""Askable facts: public actions about which players are asked whether they were done."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from companion.core.language import sentences, text


@dataclass(frozen=True, slots=True)
class AskableFact:
    """A public action in a turn (from 1), and the yes-or-no question whether it was done.

    `id` is what was done, by whom, where and in which turn, and no secret: two facts are equal if it is.
    """

    turn: int
    question: str = field(compare=False)
    id: str


def numbered(facts: Iterable[AskableFact]) -> list[AskableFact]:
    """Number facts, oldest first: the second time in one turn is another fact than the first."""
    found: list[AskableFact] = []
    times: Counter[AskableFact] = Counter()
    for one in facts:
        times[one] += 1
        again = sentences([one.question, text("More than once in that turn?")])
        found.append(replace(one, question=again, id=f"{one.id}:{times[one]}") if times[one] > 1 else one)
    return found
