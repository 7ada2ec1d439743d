"""Positions are looked up once, and forgetting them changes nothing but time."""

from dataclasses import replace
from random import Random

import pytest

from companion.fusion import transition_cache as module
from companion.fusion.parameters.search import SEARCH
from companion.fusion.transition_cache import TransitionCache
from companion.games.registry import load_game
from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.actions import Done, Skip

GAME = load_game("sleepless-princess")


def test_what_is_remembered_is_what_the_rules_say() -> None:
    cache = TransitionCache(GAME)
    state = GAME.setup("basic", 3, Random(1))
    cached = cache.at(state)
    assert cached.expected == GAME.expected_view(state)
    for action in (*GAME.legal_actions(state), *GAME.legal_actions(state)):
        transition = cache.transition(cached, action)
        assert transition is not None
        assert transition.after.state == GAME.apply(state, action)
        assert transition.after is cache.at(GAME.apply(state, action))
        assert transition.signs == GAME.signs(state, action)


def test_what_the_rules_refuse_stays_refused() -> None:
    cache = TransitionCache(GAME)
    cached = cache.at(GAME.setup("basic", 3, Random(1)))
    for action in (Done(), Skip(), Done()):
        with pytest.raises(IllegalError):
            GAME.apply(cached.state, action)
        assert cache.transition(cached, action) is None


def test_too_many_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEARCH", replace(SEARCH, states_kept=10))
    cache = TransitionCache(GAME)
    state = GAME.setup("basic", 3, Random(1))
    first = cache.at(state)
    cache.forget()
    assert cache.at(state) is first
    for action in GAME.legal_actions(state):
        cache.transition(first, action)
    cache.forget()
    assert cache.at(state) is not first
    assert cache.at(state).state == first.state
