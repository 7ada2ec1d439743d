"""Plays games by the rules and asks at each step a second implementation whether it agrees.

Each game is followed twice: with every card known, and as a table has it that has seen no hidden card, or some.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.games.rules import IllegalError, Rules
from companion.games.sleeping_queens.rules import hidden_state as queens_hidden
from companion.games.sleeping_queens.rules.actions import Shuffle
from companion.games.sleeping_queens.rules.game_end import winners
from companion.games.sleeping_queens.rules.rulebook import RULES as QUEENS
from companion.games.sleeping_queens.rules.state import Phase
from companion.games.sleeping_queens_2.rules import hidden_state as queens_2_hidden
from companion.games.sleeping_queens_2.rules.actions import Give, Open
from companion.games.sleeping_queens_2.rules.game_end import winner
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
OTHER_PHASE_SHARE = 0.1
"""How many of them are of another phase."""


class Oracle(Protocol):
    """A second implementation."""

    def legal(self, line: str) -> set[str]:
        """Every legal action; one for each outcome that is possible, where the state does not know it."""
        ...

    def actor(self, line: str) -> int:
        """The player who acts, from 0, or CHANCE."""
        ...

    def winners(self, line: str) -> list[int]:
        """The players, from 0, who have won, ascending."""
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
    winners: Callable[[Any], Sequence[int]]
    """State -> players, from 0, who have won."""


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
        lambda state: winners(state) if state.phase is Phase.OVER else (),
    ),
    "sleeping-queens-2": Judged(
        QUEENS_2,
        sleeping_queens_2_oracle,
        queens_2_hidden.hide,
        queens_2_hidden.spell_out,
        queens_2_hidden.reordered,
        lambda dealt: (*map(Give, dealt.knights), Open(dealt.discard[-1])),
        lambda state: [player for player in range(state.players) if player == winner(state)],
    ),
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where the two differ: a state; an action, `actor` or `winners` (empty: what is legal); what each says."""

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
        self._elsewhere: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        """Phase -> verb -> actions that were legal there."""
        self._noted: dict[str, set[str]] = defaultdict(set)
        """Phase -> actions that were legal there."""

    def play(self, players: int, policy: str, beginning: str = "dealt") -> None:
        """One game to its end, by one of POLICIES and one of BEGINNINGS."""
        variant = next(iter(self.rules.variants))
        state = self.rules.setup(variant, players, self.chance)
        if beginning == "thin":
            cut = len(state.deck) - self.chance.randint(0, THIN_DECK)
            state = state._replace(deck=state.deck[cut:], discard=state.discard + state.deck[:cut], fresh=1)
            seen = self.game.hide(state)
        elif beginning == "partly known":
            seen = self._partly_known(state)
        else:
            seen = self._opened(variant, players, state)
        for _ in range(MOST_STEPS):
            self._legal(seen)
            legal = self._legal(state)
            if not legal:
                return
            action = self.game.reordered(state, self._choice(legal, policy), self.chance)
            told = self.game.spell_out(state, action)
            seen, state = self._step(seen, told), self._step(state, action)
            if state is None or seen is None:
                return

    def _opened(self, variant: str, players: int, dealt: Any) -> Any:
        """The dealt state as a table comes to it, from nothing known."""
        state = self.rules.empty_table(variant, players)
        for action in self.game.opening(dealt):
            self._legal(state)
            state = self._step(state, action)
        return state

    def _partly_known(self, state: Any) -> Any:
        """The state with about half of its hidden cards."""
        hidden = self.game.hide(state)

        def mixed(known: Sequence[int], unknown: Sequence[int]) -> tuple[int, ...]:
            return tuple(map(self.chance.choice, zip(known, unknown, strict=True)))

        seen = hidden._replace(deck=mixed(state.deck, hidden.deck), cells=mixed(state.cells, hidden.cells))
        if not hasattr(state, "hands"):
            return seen
        hands = [sorted(mixed(*both)) for both in zip(state.hands, hidden.hands, strict=True)]
        return seen._replace(hands=tuple(map(tuple, hands)))

    def _legal(self, state: Any) -> tuple[Any, ...]:
        """What is legal, by both; and a few other actions, that both allow or both refuse."""
        line = self.rules.write_state(state)
        actions = self.rules.legal_actions(state)
        ours = {self.rules.write_action(action) for action in actions}
        named = self.game.oracle.legal(line)
        theirs = {text.partition("=")[0] for text in named}
        if ours != theirs:
            self._disagree(line, "", ours - theirs, theirs - ours)
        self._about(line, "actor", self.rules.actor(state), self.game.oracle.actor(line))
        self._about(line, "winners", list(self.game.winners(state)), self.game.oracle.winners(line))
        phase = line.split()[2]
        for text in sorted(named - self._noted[phase]):
            self._elsewhere[phase][_verb(text)].append(text)
        self._noted[phase] |= named
        tries = [self._from_elsewhere(phase) for _ in range(FOREIGN)]
        tries += [self.chance.choice(sorted(named))] if named else []
        for text in tries:
            self.tried += 1
            self.refused += self._compare(state, line, self.rules.read_action(text)) is None
        return actions

    def _from_elsewhere(self, phase: str) -> str:
        """An action that was legal in another state, mostly of the same phase: else only the phase is wrong."""
        verbs = self._elsewhere.get(phase)
        if not verbs or self.chance.random() < OTHER_PHASE_SHARE:
            verbs = self.chance.choice(list(self._elsewhere.values()))
        return self.chance.choice(self.chance.choice(list(verbs.values())))

    def _step(self, state: Any, action: Any) -> Any:
        """The state after a legal action; None if our own rules refuse it, which is a disagreement then."""
        self.steps += 1
        self.chosen[_verb(self.rules.write_action(action))] += 1
        return self._compare(state, self.rules.write_state(state), action)

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

    def _about(self, line: str, what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            self.disagreements[what].append(Disagreement(line, what, str(ours), str(theirs)))

    def _disagree(self, line: str, action: str, ours: Set[str], theirs: Set[str]) -> None:
        """`ours`, `theirs`: next states, or what only one of them has legal."""
        said = [
            f"{side} {verb}" for side, texts in (("ours", ours), ("oracle", theirs)) for verb in _verbs(texts)
        ]
        kind = " ".join([line.split()[2], _verb(action), *said])
        self.disagreements[kind].append(Disagreement(line, action, _listed(ours), _listed(theirs)))


REFUSED = "refused"
POLICIES = ("uniform", "rare")
BEGINNINGS = ("dealt", "partly known", "thin")
"""From nothing known; some of the hidden cards known; with a draw pile that soon runs out."""


def judge(name: str, games: int, seed: int) -> Judge:
    """Play games of 2 to 5 players in turn, by each policy and from each beginning; see Judge."""
    found = Judge(GAMES[name], seed)
    numbers = next(iter(found.rules.variants.values()))
    for number in range(games):
        policy = POLICIES[number // len(numbers) % len(POLICIES)]
        found.play(numbers[number % len(numbers)], policy, BEGINNINGS[number % len(BEGINNINGS)])
    return found


def _verb(text: str) -> str:
    return text.partition(" ")[0].partition("=")[0]


def _verbs(texts: Iterable[str]) -> list[str]:
    return sorted(set(map(_verb, texts)))


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(sorted(texts)) or "nothing more"
