"""Plays games by the rules and asks at each step a second implementation whether it agrees.

Each game is followed twice: with every card known, and as a table has it that has seen no hidden card.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.games.api import IllegalError, Rules
from companion.games.sleeping_queens.rules import hidden_state as queens_hidden
from companion.games.sleeping_queens.rules.actions import Shuffle
from companion.games.sleeping_queens.rules.rulebook import RULES as QUEENS
from companion.games.sleeping_queens_2.rules import hidden_state as queens_2_hidden
from companion.games.sleeping_queens_2.rules.actions import Give, Open
from companion.games.sleeping_queens_2.rules.rulebook import RULES as QUEENS_2
from tests.games.oracles import sleeping_queens_2_oracle, sleeping_queens_oracle
from tests.games.oracles.lines import RefusedError

RARE_SHARE = 0.7
"""How often the policy `rare` chooses the verb that was chosen least."""
THIN_DECK = 8
"""Most cards of the draw pile of a thin game; the others lie on the discard pile from the beginning."""
MOST_STEPS = 1500
"""A game that has not ended after so many steps is left: who plays at random may never rescue a king."""
FOREIGN = 2
"""Actions of other states that are tried in each state."""


class Oracle(Protocol):
    """A second implementation."""

    def legal(self, line: str) -> set[str]:
        """Every legal action; one for each outcome that is possible, where the state does not know it."""
        ...

    def after(self, line: str, action: str) -> str:
        """The next state line, or RefusedError."""
        ...


@dataclass(frozen=True, slots=True)
class Judged:
    """A game and what it takes to judge it."""

    rules: Rules[Any, Any]
    oracle: Oracle
    hide: Callable[[Any], Any]
    spell_out: Callable[[Any, Any], Any]
    reordered: Callable[[Any, Any, Random], Any]
    """(state, action, chance) -> the action with an order, if it shuffles."""
    opening: Callable[[Any], Sequence[Any]]
    """Dealt state -> what leads there from an empty table."""


def _queens_order(state: Any, action: Any, chance: Random) -> Any:
    return queens_hidden.shuffled(state, chance) if isinstance(action, Shuffle) else action


GAMES = {
    "sleeping-queens": Judged(
        QUEENS,
        sleeping_queens_oracle,
        queens_hidden.hide,
        queens_hidden.spell_out,
        _queens_order,
        lambda dealt: (),
    ),
    "sleeping-queens-2": Judged(
        QUEENS_2,
        sleeping_queens_2_oracle,
        queens_2_hidden.hide,
        queens_2_hidden.spell_out,
        queens_2_hidden.reordered,
        lambda dealt: (*map(Give, dealt.knights), Open(dealt.discard[-1])),
    ),
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where the two differ: a state, an action (empty: about what is legal), and what each of them says."""

    state: str
    action: str
    ours: str
    oracle: str

    def __str__(self) -> str:
        return f"state   {self.state}\naction  {self.action}\nours    {self.ours}\noracle  {self.oracle}"


class Judge:
    """Compares a game's rules with its oracle; counts, and keeps what they disagree about."""

    def __init__(self, game: Judged, seed: int) -> None:
        self.rules, self.game = game.rules, game
        self.chance = Random(seed)
        self.steps = 0
        """Steps of games: legal actions and next state compared."""
        self.tried = 0
        """Other actions that were tried, some of them allowed."""
        self.refused = 0
        """Those of them that both refused."""
        self.chosen: Counter[str] = Counter()
        """How often each verb was chosen."""
        self.disagreements: dict[str, list[Disagreement]] = defaultdict(list)
        """By phase, verbs and answers."""
        self._elsewhere: dict[str, dict[str, None]] = defaultdict(dict)

    def play(self, players: int, policy: str, *, thin: bool = False) -> None:
        """One game to its end; `thin`: with a draw pile that soon runs out."""
        variant = next(iter(self.rules.variants))
        state = self.rules.setup(variant, players, self.chance)
        if thin:
            left = self.chance.randint(0, THIN_DECK)
            cut = len(state.deck) - left
            state = state._replace(deck=state.deck[cut:], discard=state.discard + state.deck[:cut], fresh=1)
            seen = self.game.hide(state)
        else:
            seen = self._opened(variant, players, state)
        for _ in range(MOST_STEPS):
            legal = self._legal(state)
            self._legal(seen)
            if not legal:
                return
            action = self.game.reordered(state, self._choice(legal, policy), self.chance)
            told = self.game.spell_out(state, action)
            state, seen = self._step(state, action), self._step(seen, told)

    def _opened(self, variant: str, players: int, dealt: Any) -> Any:
        """The dealt state as a table comes to it, from nothing known."""
        state = self.rules.empty_table(variant, players)
        for action in self.game.opening(dealt):
            self._legal(state)
            state = self._step(state, action)
        return state

    def _legal(self, state: Any) -> tuple[Any, ...]:
        """What is legal, by both; and a few other actions, that both allow or both refuse."""
        line = self.rules.write_state(state)
        actions = self.rules.legal_actions(state)
        ours = {self.rules.write_action(action) for action in actions}
        named = self.game.oracle.legal(line)
        theirs = {text.partition("=")[0] for text in named}
        if ours != theirs:
            self._disagree(line, "", ours - theirs, theirs - ours)
        phase = line.split()[2]
        # What is possible in another state of the same phase is refused for a better reason than the phase.
        known = self._elsewhere[phase]
        other = list(
            known if self.chance.random() < 0.9 else self._elsewhere[self.chance.choice(list(self._elsewhere))]
        )
        tries = [self.chance.choice(other) for _ in range(FOREIGN if other else 0)]
        tries += [self.chance.choice(sorted(named))] if named else []
        for text in tries:
            self.tried += 1
            self.refused += self._compare(state, line, self.rules.read_action(text)) is None
        known |= dict.fromkeys(sorted(named))
        return actions

    def _step(self, state: Any, action: Any) -> Any:
        """The state after a legal action."""
        self.steps += 1
        self.chosen[_verb(self.rules.write_action(action))] += 1
        after = self._compare(state, self.rules.write_state(state), action)
        assert after is not None, "our own rules allow it"
        return after

    def _compare(self, state: Any, line: str, action: Any) -> Any | None:
        """The state after an action by our rules, None if they refuse it; the oracle is heard too."""
        text = self.rules.write_action(action)
        after = None
        try:
            after = self.rules.apply(state, action)
            ours = self.rules.write_state(after)
        except IllegalError as error:
            ours = f"{REFUSED} ({error.code})"
        try:
            theirs = self.game.oracle.after(line, text)
        except RefusedError:
            theirs = REFUSED
        if ours != theirs and (after is not None or theirs != REFUSED):
            self._disagree(line, text, {ours}, {theirs})
        return after

    def _choice(self, legal: Sequence[Any], policy: str) -> Any:
        """An action by a policy: `uniform`, or `rare`, which prefers the verb that was chosen least."""
        if policy == "rare" and self.chance.random() < RARE_SHARE:
            verbs = [_verb(self.rules.write_action(action)) for action in legal]
            least = min(verbs, key=lambda verb: (self.chosen[verb], verb))
            legal = [action for action, verb in zip(legal, verbs, strict=True) if verb == least]
        return self.chance.choice(legal)

    def _disagree(self, line: str, action: str, ours: Set[str], theirs: Set[str]) -> None:
        """`ours`, `theirs`: next states, or what only one of them has legal."""
        said = [
            f"{side} {verb}" for side, texts in (("ours", ours), ("oracle", theirs)) for verb in _verbs(texts)
        ]
        kind = " ".join([line.split()[2], _verb(action), *said])
        self.disagreements[kind].append(Disagreement(line, action, _listed(ours), _listed(theirs)))


REFUSED = "refused"
POLICIES = ("uniform", "rare")


def judge(name: str, games: int, seed: int) -> Judge:
    """Play games of 2 to 5 players in turn, by each policy, every third of them thin; see Judge."""
    found = Judge(GAMES[name], seed)
    numbers = next(iter(found.rules.variants.values()))
    for number in range(games):
        policy = POLICIES[number // len(numbers) % len(POLICIES)]
        found.play(numbers[number % len(numbers)], policy, thin=number % 3 == 2)
    return found


def _verb(text: str) -> str:
    return text.partition(" ")[0].partition("=")[0]


def _verbs(texts: Iterable[str]) -> list[str]:
    return sorted(set(map(_verb, texts)))


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(sorted(texts)) or "nothing more"
