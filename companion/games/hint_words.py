"""Words that hints of several games share: chances as a child counts them, choices compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.language import Text, plural, sentences, text

EQUAL, NEAR = 0.003, 0.02
"""Chance to win by which a choice may be behind the best one to be as good, or nearly as good."""
COMPARED: Mapping[str, Text] = {
    "equal": text("Just as good."),
    "near": text("Nearly as good."),
    "behind": text("Not as good."),
}
"""What is said of a choice held against the best one, by id."""


class Sentence(NamedTuple):
    """One or several sentences, and the id of the first in the catalogue."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Often:
    """How often something happens: a whole sentence for each chance, as an adverb stands elsewhere in each
    language."""

    sure: Text
    usually: Text
    times: Text
    """A plural by `n`, with `whole`."""
    rarely: Text
    never: Text | None = None
    """None for nothing to say."""

    def of(self, chance: float, /, **values: object) -> str:
        """The sentence for a chance, 0 to 1; empty if there is none. Only 0 never happens, only 1 always."""
        if chance <= 0.0:
            return "" if self.never is None else self.never.of(**values)
        if chance >= 1.0:
            return self.sure.of(**values)
        whole = min(range(2, 11), key=lambda n: (abs(round(chance * n) / n - chance) > 0.04, n))
        part = round(chance * whole)
        if part in (0, whole):
            return (self.usually if part else self.rarely).of(**values)
        return self.times.of(n=part, whole=whole, **values)

    def catalogue(self, name: str) -> Iterator[tuple[str, Text]]:
        """(id, sentence) of all its sentences."""
        for chance in ("sure", "usually", "times", "rarely", "never"):
            if (one := getattr(self, chance)) is not None:
                yield f"{name} {chance}", one


WINS = Often(
    text("That wins the game."),
    text("That nearly always wins the game."),
    plural(
        "That wins the game about {n} time out of {whole}.",
        "That wins the game about {n} times out of {whole}.",
    ),
    text("That hardly ever wins the game."),
)
"""How often a choice ends the game in the player's favour."""


def compared(choice: str, gap: float, equal: float = EQUAL, near: float = NEAR) -> str:
    """A choice, and how it compares with one that is better by `gap`, in the unit of `equal` and `near`."""
    return sentences([choice, COMPARED["equal" if gap <= equal else "near" if gap <= near else "behind"]])


def expected(worth: float | None) -> str:
    """What a choice is worth, a chance to win from 0 to 1; empty without one."""
    return "" if worth is None else text("about {percent}% to win", percent=f"{100 * worth:.0f}")
