"""Words for the choices of a person who sits at the virtual table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.language import Text, player, text
from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.kinds import GNOME, KIND_TEXT
from companion.games.sleeping_queens_2.rules.parts import Parts
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.terms import one

CHOICES: Mapping[type, Text] = {
    do.Reroll: text("Roll the 1 again"),
    do.Keep: text("Keep the 1"),
    do.Wake: text("Wake {queen}"),
    do.Pass: text("Leave it"),
    do.Instant: text("Play {kind}"),
    do.Fetch: text("Take the companion of place {cell}"),
    do.Steal: text("Steal {kind} from {victim}"),
    do.Take: text("Take {queen} from the discard pile"),
    do.Exchange: text("Let the knights of {first} and {second} change places"),
    do.Swap: text("Swap {own} for {kind} of {victim}"),
    do.Equation: text("Lay the equation {cards}"),
    do.Pair: text("Lay a pair of {number}s: all queens wake"),
    do.Book: text("Use a spell book for {number}"),
    do.Rescue: text("Rescue a king with {queen} and {companion}"),
    do.PutBack: text("Lay the companion on place {cell}"),
    do.Discard: text("Discard {kind}"),
    do.End: text("End the turn"),
}
"""Type of an action -> words with gaps, by which a person chooses it."""

WHY: Mapping[Phase, tuple[Text, Text]] = {
    Phase.WAKE: (
        text("The die shows a dragon: a queen may wake."),
        text("The die shows a dragon, and no queen of yours sleeps."),
    ),
    Phase.FETCH: (
        text("The die gives you a companion."),
        text("The die gives you a companion, and none is left."),
    ),
    Phase.STEAL: (
        text("The die lets you steal a card."),
        text("The die lets you steal a card, and nobody has one for you."),
    ),
    Phase.TAKE: (
        text("The die gives you a queen from the discard pile."),
        text("The die gives you a queen from the discard pile, and none lies there."),
    ),
    Phase.EXCHANGE: (
        text("The die lets two knights change places."),
        text("The die lets two knights change places."),
    ),
    Phase.SWAP: (
        text("The witch swaps a card of yours for one of another player."),
        text("The witch swaps cards, and there is nothing to swap."),
    ),
}
"""Phase of the game -> sentences that tell the seated person why a choice is on offer: (if there is one, if
passing is the only one)."""


def _who(value: int, _: Parts) -> Text:
    return player(value + 1, within=True)


_WORDS: dict[str, Callable[[Any, Parts], object]] = {
    "cell": lambda cell, _: cell + 1,
    "victim": _who,
    "first": _who,
    "second": _who,
    "cards": lambda cards, _: " ".join(map(str, cards)),
    "number": lambda number, _: number,
    "queen": one,
    "companion": lambda companion, parts: "" if companion is None else one(companion, parts),
    "kind": one,
    "own": one,
}
"""Name of an action's field -> function (value, printed parts of the box) -> words that fill the gap in
CHOICES."""


def why(state: State, options: Sequence[Action]) -> tuple[Text, ...]:
    """Sentence that tells why `options` are on offer, for a person who did not watch the die.

    Empty if no explanation is needed, e.g. because the player's own cards led to the choice.
    """
    told = WHY.get(state.phase)
    # A companion is fetched after an equation as well, which needs no explanation.
    if told is None or not options or (state.phase is Phase.FETCH and state.played != GNOME):
        return ()
    return (told[all(isinstance(option, do.Pass) for option in options)],)


def number(action: Action) -> str:
    """Number key that chooses an action; "" for none.

    It is the value of the only discarded card, or the grid place (from 1).
    """
    match action:
        case do.Discard(kind) if KIND_TEXT[kind].isdigit():
            return KIND_TEXT[kind]
        case do.Fetch(cell) | do.PutBack(cell):
            return str(cell + 1)
    return ""


def in_words(state: State, action: Action) -> Text:
    """Words by which a person chooses an action on the screen.

    A face-down companion is called by its place.
    """
    told = {name: _WORDS[name](getattr(action, name), state.parts) for name in action.__match_args__}
    return CHOICES[type(action)].of(**told)
