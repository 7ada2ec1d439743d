"""Words of hints that several games share: chances as a child counts them, comparisons of choices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.language import Text, plural, sentences, text

EQUAL, NEAR = 0.003, 0.02
"""Gaps in chance to win (0 to 1) behind the best choice. Up to EQUAL a choice counts as good, up to NEAR as
nearly as good. Guesses."""
COMPARED: Mapping[str, Text] = {
    "equal": text("Just as good."),
    "near": text("Nearly as good."),
    "behind": text("Not as good."),
}
"""Comparison with the best choice (equal, near, behind) -> its sentence."""


class Sentence(NamedTuple):
    """One or several sentences of a hint. `why` is the catalogue id of the first."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Often:
    """How often something happens: one whole sentence for each range of chance.

    Whole sentences, because the place of an adverb differs between languages.
    """

    sure: Text
    usually: Text
    times: Text
    """Plural sentence with the values `n` and `whole`: "n times out of whole"."""
    rarely: Text
    never: Text | None = None
    """None if an impossible event is not mentioned."""

    def of(self, chance: float, /, **values: object) -> str:
        """The sentence for a chance from 0 to 1, with `values` filled in. Empty for chance 0 without a `never`
        sentence.

        Only 0 counts as never and only 1 as sure.
        """
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
        """All (id, sentence) pairs; ids start with `name`."""
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
"""Sentences for the chance that a choice wins the game."""


def compared(choice: str, gap: float, equal: float = EQUAL, near: float = NEAR) -> str:
    """A sentence for a choice, then its comparison with the best choice.

    `gap`: how much worse the choice is, 0 or more. `equal` and `near` bound the sentences, in the unit of
    `gap`.
    """
    return sentences([choice, COMPARED["equal" if gap <= equal else "near" if gap <= near else "behind"]])


def expected(worth: float | None) -> str:
    """A chance to win (0 to 1) in percent. Empty for None."""
    return "" if worth is None else text("about {percent}% to win", percent=f"{100 * worth:.0f}")
