"""Positions are looked up once, and forgetting them changes nothing but time."""

from random import Random

import pytest

from companion.fusion import transition_cache as module
from companion.fusion.transition_cache import Positions
from companion.games.api import IllegalError
from companion.games.registry import load_game
from companion.games.sleepless_princess.rules.actions import Done, Skip

GAME = load_game("sleepless-princess")


def test_what_is_remembered_is_what_the_rules_say() -> None:
    positions = Positions(GAME)
    state = GAME.setup("basic", 3, Random(1))
    position = positions.at(state)
    assert position.expected == GAME.expected_view(state)
    for action in (*GAME.legal_actions(state), *GAME.legal_actions(state)):
        move = positions.move(position, action)
        assert move is not None
        assert move.after.state == GAME.apply(state, action)
        assert move.after is positions.at(GAME.apply(state, action))
        assert move.signs == GAME.traces(state, action)


def test_what_the_rules_refuse_stays_refused() -> None:
    positions = Positions(GAME)
    position = positions.at(GAME.setup("basic", 3, Random(1)))
    for action in (Done(), Skip(), Done()):
        with pytest.raises(IllegalError):
            GAME.apply(position.state, action)
        assert positions.move(position, action) is None


def test_too_many_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 10)
    positions = Positions(GAME)
    state = GAME.setup("basic", 3, Random(1))
    first = positions.at(state)
    positions.forget()
    assert positions.at(state) is first
    for action in GAME.legal_actions(state):
        positions.move(first, action)
    positions.forget()
    assert positions.at(state) is not first
    assert positions.at(state).state == first.state
