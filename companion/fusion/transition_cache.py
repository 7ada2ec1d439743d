"""The transition cache: expected views, legal transitions and hidden layouts of states, computed once."""

from collections.abc import Hashable
from typing import Any, Generic, NamedTuple

from companion.fusion.parameters.search import SEARCH
from companion.fusion.parameters.sign_models import ON_PAD
from companion.games.appearance import Expectation
from companion.games.rules import A, IllegalError, S
from companion.games.signs import Sign
from companion.games.table_game import TableGame


class CachedState(Generic[S, A]):
    """A state and its expected view. There is one object for each state: compare by identity."""

    __slots__ = ("expected", "hidden", "state", "transitions")

    def __init__(self, state: S, expected: Expectation) -> None:
        self.state = state
        self.expected = expected
        self.transitions: dict[A, Transition[S, A] | None] = {}
        """Action -> its transition; None if the rules refuse it."""
        self.hidden: Hashable = None
        """The hidden layout, once `TransitionCache.hidden` was asked."""


class Transition(NamedTuple, Generic[S, A]):
    """The state an action leads to, and the signs it leaves."""

    after: CachedState[S, A]
    signs: tuple[Sign, ...]
    on_pad: bool
    """True if no sign is made elsewhere than on the pad."""


class TransitionCache(Generic[S, A]):
    """The states of `game` met so far. Only constants are kept: forgetting costs nothing but time."""

    def __init__(self, game: TableGame[S, A]) -> None:
        self._game = game
        self._known: dict[S, CachedState[S, A]] = {}
        self._by_id: dict[int, CachedState[S, A]] = {}
        """The id of the state object in `_known` -> the same: hashing a state takes long."""

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled cache comes back empty."""
        return TransitionCache, (self._game,)

    def forget(self) -> None:
        """Forget all states once they are too many. Objects given out before then equal no new ones."""
        if len(self._known) > SEARCH.states_kept:
            self._known.clear()
            self._by_id.clear()

    def at(self, state: S) -> CachedState[S, A]:
        """The one object of a state."""
        known = self._by_id.get(id(state)) or self._known.get(state)
        if known is None:
            known = CachedState(state, self._game.expected_view(state))
            self._known[state] = self._by_id[id(state)] = known
        return known

    def hidden(self, state: S) -> Hashable:
        """The hidden layout of a state: equal for states with the same cards in hidden places."""
        return self.hidden_of(self.at(state))

    def hidden_of(self, cached: CachedState[S, A]) -> Hashable:
        """The same of a state that was looked up."""
        if cached.hidden is None:
            cached.hidden = tuple(self._game.hidden_layout(cached.state).items())
        return cached.hidden

    def transition(self, cached: CachedState[S, A], action: A) -> Transition[S, A] | None:
        """The transition of an action; None if the rules refuse it."""
        try:
            return cached.transitions[action]
        except KeyError:
            transition = cached.transitions[action] = self._tried(cached.state, action)
            return transition

    def _tried(self, state: S, action: A) -> Transition[S, A] | None:
        try:
            after = self._game.apply(state, action)
        except IllegalError:
            return None
        signs = self._game.signs(state, action)
        return Transition(self.at(after), signs, all(verb in ON_PAD for verb, _, _ in signs))
