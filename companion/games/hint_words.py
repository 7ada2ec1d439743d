"""Words of hints that several games share: chances as a child counts them, comparisons of choices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.language import Text, plural, sentences, text

EQUAL, NEAR = 0.003, 0.02
"""Largest loss of winning chance (0 to 1) at which a choice is called as good as the best.

EQUAL: "just as good". NEAR: "nearly as good". Guesses.
"""
COMPARED: Mapping[str, Text] = {
    "equal": text("Just as good."),
    "near": text("Nearly as good."),
    "behind": text("Not as good."),
}
"""How a choice compares with the best one ("equal", "near" or "behind") -> its sentence."""


class Sentence(NamedTuple):
    """Text of a hint, made of one or several sentences.

    `why`: id of the first sentence in the game's list of hint sentences.
    """

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Often:
    """How often something happens: sentences for ranges of chance.

    Languages differ in where an adverb stands, so sentences are not put together. `sure`: for chance 1.
    `usually`: nearly 1. `rarely`: nearly 0.
    """

    sure: Text
    usually: Text
    times: Text
    """Sentence "`n` times out of `whole`", with a singular and a plural."""
    rarely: Text
    never: Text | None = None
    """Sentence for a thing that cannot happen (chance 0). None: nothing is said."""

    def of(self, chance: float, /, **values: object) -> str:
        """The sentence for `chance` (0 to 1), with `values` filled in.

        Between, the chance is rounded to "`n` times out of `whole`", with `whole` from 2 to 10. Only 0 counts
        as never, only 1 as sure. "" for chance 0 without a `never` sentence.
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
    """Words for a choice, compared with the best one.

    `choice`: the choice as a sentence. `gap`: by how much it is worse (chance to win, 0 to 1). Up to `equal` it
    is just as good, up to `near` nearly as good, else not as good.
    """
    return sentences([choice, COMPARED["equal" if gap <= equal else "near" if gap <= near else "behind"]])


def expected(worth: float | None) -> str:
    """Words for a winning chance (0 to 1), in percent.

    "" for None.
    """
    return "" if worth is None else text("about {percent}% to win", percent=f"{100 * worth:.0f}")
