"""What a person who sits at the virtual table may choose, in words."""

from collections.abc import Callable
from typing import Any

from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.parts import Parts
from companion.games.sleeping_queens_2.rules.state import State
from companion.games.sleeping_queens_2.wording import card_name, with_article

CHOICES = {
    do.Reroll: "Roll the 1 again",
    do.Keep: "Keep the 1",
    do.Wake: "Wake {queen}",
    do.Pass: "Leave it",
    do.Instant: "Play the {kind}",
    do.Fetch: "Take the companion of place {cell}",
    do.Steal: "Steal {kind} from player {victim}",
    do.Take: "Take {queen} from the discard pile",
    do.Exchange: "Let the knights of players {first} and {second} change places",
    do.Swap: "Swap {own} for {kind} of player {victim}",
    do.Equation: "Lay the equation {cards}",
    do.Pair: "Lay a pair of {number}s: all queens wake",
    do.Book: "Use a spell book for {number}",
    do.Rescue: "Rescue a king with {queen} and {companion}",
    do.PutBack: "Lay the companion on place {cell}",
    do.Discard: "Discard {kind}",
    do.End: "End the turn",
}
"""Kind of action -> the words for it."""


def _counted(value: int, _: Parts) -> str:
    return str(value + 1)


_WORDS: dict[str, Callable[[Any, Parts], str]] = {
    "cell": _counted,
    "victim": _counted,
    "first": _counted,
    "second": _counted,
    "cards": lambda cards, _: " ".join(map(str, cards)),
    "number": lambda number, _: str(number),
    "queen": card_name,
    "companion": lambda companion, parts: "" if companion is None else card_name(companion, parts),
    "kind": with_article,
    "own": with_article,
}
"""Field of an action -> its value in words."""


def in_words(state: State, action: Action) -> str:
    """An action as the player who chooses it says it; of a companion who lies face down, the place alone."""
    told = {name: _WORDS[name](getattr(action, name), state.parts) for name in action.__slots__}
    if isinstance(action, do.Instant):
        told["kind"] = card_name(action.kind, state.parts)
    return CHOICES[type(action)].format(**told)
