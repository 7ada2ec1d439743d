"""A game's rules, played by the notation of its actions."""

from typing import Any

import pytest

from companion.games.rules import IllegalError, Rules


class NotatedRules:
    """Rules whose actions are given in words."""

    def __init__(self, rules: Rules[Any, Any]) -> None:
        self._rules = rules

    def play(self, state: Any, *actions: str) -> Any:
        """The state after these actions; each state on the way is a possible one."""
        for action in actions:
            state = self._rules.apply(state, self._rules.read_action(action))
            assert self._rules.status(state) == (), action
        return state

    def refused(self, state: Any, action: str) -> str:
        """The code with which the rules refuse an action."""
        with pytest.raises(IllegalError) as error:
            self._rules.apply(state, self._rules.read_action(action))
        assert error.value.section
        return error.value.code
