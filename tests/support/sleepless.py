"""Small helps for the tests of Sleepless Princess."""

from collections.abc import Iterator
from random import Random

import pytest

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.actions import Action, Claim, Look, Move, Play, Touch
from companion.games.sleepless_princess.rules.apply import apply
from companion.games.sleepless_princess.rules.dealing import setup
from companion.games.sleepless_princess.rules.legal_actions import legal_actions
from companion.games.sleepless_princess.rules.state import State

BLANK = (
    "basic 3 phase=play turn=1 turns=1 hands=HANDS row=1,2,3,4,5 deck=?x20 discard=- fresh=0 played=- "
    "beds=1,2,3/4,5,6/7,8,9/10,11,12/13,14,15 faces=?,?,?,?,?,?,?,?,?,?,?,?,?,?,? princesses=0,1,2,3,4 "
    "fates=aaaaa touches=0 looks=0 checked=- shown=- last=- skips=0"
)
"""A state line with HANDS to be filled in."""


def refused(state: State, action: Action) -> str:
    """The code with which the rules refuse an action."""
    with pytest.raises(IllegalError) as caught:
        apply(state, action)
    assert caught.value.section
    assert caught.value.text
    return caught.value.code


def walk(
    variant: str, players: int, seed: int, *, silent: bool = False
) -> Iterator[tuple[State, Action, State]]:
    """A game at random: state, action, state after. Plays and moves are preferred, else they hardly occur."""
    chance = Random(seed)
    state = setup(variant, players, chance, silent=silent)
    while legal := legal_actions(state):
        moves = [action for action in legal if not isinstance(action, Claim)]
        lively = [action for action in moves if isinstance(action, Play | Move | Touch | Look)]
        pool = legal if chance.random() < 0.01 else lively if lively and chance.random() < 0.7 else moves
        action = chance.choice(pool)
        after = apply(state, action)
        yield state, action, after
        state = after


def after_steps(variant: str, players: int, seed: int, steps: int, *, silent: bool = False) -> State:
    """The state some steps into a random game, or its end."""
    state = None
    for number, (before, _, after) in enumerate(walk(variant, players, seed, silent=silent)):
        state = before if state is None else state
        if number >= steps:
            break
        state = after
    assert state is not None
    return state
