"""Result of a game, with a sentence for players."""

from companion.core.language import plural, sentences, text
from companion.games.rules import Outcome
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, Phase, State

_WORDS = (
    text("Nobody sleeps. Breakfast will be loud; the next night is a new chance."),
    text("One princess sleeps, the others are out."),
    text("Two princesses sleep: the castle is a little quieter."),
    text("Three princesses sleep, a good night's work."),
    text("Four princesses sleep, nearly a silent castle!"),
    text("All five princesses sleep. Not a sound in the castle!"),
)
_ALL_OF_FOUR = text("All four princesses sleep. Not a sound in the castle!")
_NOT_KNOWN = plural(
    "Of 1 princess nobody knows whether she sleeps.", "Of {n} princesses nobody knows whether they sleep."
)
_SOME_KNOWN = plural("1 princess sleeps.", "{n} princesses sleep.")


def outcome(state: State) -> Outcome | None:
    """The result of the finished game: the number of sleeping princesses. None while it goes on.

    A princess still awake when people end the game is not counted, because nobody knows whether she sleeps. If
    there is one and no princess sleeps, the score is None.
    """
    if state.phase is not Phase.OVER:
        return None
    lulled, beds = state.fates.count(ASLEEP), len(state.fates)
    if unknown := state.fates.count(AWAKE):
        told = _NOT_KNOWN.of(n=unknown)
        return Outcome(lulled or None, beds, sentences([_SOME_KNOWN.of(n=lulled), told]) if lulled else told)
    told = _ALL_OF_FOUR if lulled == beds and lulled + 1 < len(_WORDS) else _WORDS[lulled]
    return Outcome(lulled, beds, told)
