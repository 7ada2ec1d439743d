"""Words of hints that several games share: chances as a child counts them, comparisons of choices."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.language import Text, plural, sentences, text

EQUAL, NEAR = 0.003, 0.02
"""How much less chance to win (0 to 1) a choice may give than the best one. Guesses.

A choice within EQUAL is called just as good, within NEAR nearly as good.
"""
COMPARED: Mapping[str, Text] = {
    "equal": text("Just as good."),
    "near": text("Nearly as good."),
    "behind": text("Not as good."),
}
""""equal", "near" or "behind": how a choice compares with the best one -> its sentence."""


class Sentence(NamedTuple):
    """One or several sentences of a hint.

    `why` is the id of the first one in the game's list of hint sentences.
    """

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Often:
    """Sentences on how often something happens, by range of chance.

    Whole sentences, because the place of an adverb differs between languages.
    """

    sure: Text
    usually: Text
    times: Text
    """Plural sentence with the values `n` and `whole`: "n times out of whole"."""
    rarely: Text
    never: Text | None = None
    """Sentence for an event that cannot happen. None: nothing is said of it."""

    def of(self, chance: float, /, **values: object) -> str:
        """Sentence for `chance` (0 to 1), with `values` filled in.

        Empty for chance 0 without a `never` sentence. Only 0 counts as never and only 1 as sure.
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
        """Every sentence as a pair (id, sentence).

        Each id begins with `name`.
        """
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
    """A choice in words, compared with the best choice.

    `gap`: how much worse the choice is, 0 or more. Up to `equal` it counts as just as good, up to `near` as
    nearly as good. All three have one unit, by default chance to win.
    """
    return sentences([choice, COMPARED["equal" if gap <= equal else "near" if gap <= near else "behind"]])


def expected(worth: float | None) -> str:
    """Words for a winning chance (0 to 1), in percent.

    Empty for None.
    """
    return "" if worth is None else text("about {percent}% to win", percent=f"{100 * worth:.0f}")
