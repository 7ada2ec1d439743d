"""Small helps for the tests of Sleepless Princess."""

import pytest

from companion.games.engine import IllegalError
from companion.games.sleepless_princess.actions import Action
from companion.games.sleepless_princess.apply import apply
from companion.games.sleepless_princess.state import State

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
