"""The interface of a game: rules, appearance, claims, sentences, and what only some games can do.

A game is loaded by its name:

>>> from random import Random
>>> from companion.games.registry import load_game
>>> game = load_game("sleeping-queens")
>>> state = game.setup("basic", 2, Random(1))
>>> game.status(state), game.actor(state)
((), 0)
>>> action = game.legal_actions(state)[0]
>>> game.write_action(action)
'king'
>>> game.write_state(game.apply(state, action)).split()[2]
'phase=wake'
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from companion.games.appearance import Appearance
from companion.games.claims import Claims, OpenRealms
from companion.games.hidden_cards import AskableFact, HiddenHands, HiddenStacks, Reveal
from companion.games.narrator import Narrator
from companion.games.rules import A, Rules, S


class TableGame(Rules[S, A], Appearance[S, A], Claims[S, A], Narrator[S, A], Protocol[S, A]):
    """A complete game: rules, appearance, claims and sentences.

    `stacks`, `realms` and `hands` are None in a game without them.
    """

    stacks: HiddenStacks[S, A] | None = None
    realms: OpenRealms[S] | None = None
    hands: HiddenHands[S] | None = None
    name_characters: Callable[[Sequence[str]], None] | None = None
    """Function that gives the characters in `Words.unnamed` the family's names.

    ValueError for too many names, one that is too long, or one given twice.
    """


def revealed(game: TableGame[S, A], state: S, subject: int, kinds: tuple[str, ...]) -> Reveal[S] | None:
    """Enter turned up cards of a claim's subject (from 0) into the state, by `HiddenStacks.reveal`.

    `kinds`: kinds seen, sorted. None if they cannot have lain there, or if the game has no hidden stacks.
    """
    return game.stacks.reveal(state, subject, kinds) if game.stacks else None


def askable_fact(game: TableGame[S, A], before: S, action: A) -> AskableFact | None:
    """Yes-or-no question: was `action` really done in state `before`?

    Players are asked. None if nobody may be asked (see `HiddenStacks.askable_fact`), or if the game has no
    hidden stacks.
    """
    return game.stacks.askable_fact(before, action) if game.stacks else None
