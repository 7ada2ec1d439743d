"""Whether the sentences of hints are true: odds in words, gaps between choices, claims of each sentence."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

from companion.games.advice import Hint
from companion.games.rules import CHANCE, Rules
from companion.games.simulation import Policy, Simulation
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_lines import VERSION, Adopted, Opened

NUMBER_NAMES = ("ones", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens")
"""Cards of a number, from 1 on, as hints call several of them."""

S = TypeVar("S")
A = TypeVar("A")


class Said(Protocol):
    """A sentence, the best one of its decision, and the state as it is."""

    @property
    def hint(self) -> Hint: ...
    @property
    def best(self) -> Hint: ...
    @property
    def state(self) -> Any: ...


def near(text: str, chance: float) -> bool:
    """Whether words for a chance agree with it; what is sure or impossible must be so."""
    text = f" {text.lower()}"
    if "for sure" in text or "never" in text or " no " in text:
        return chance == float("for sure" in text)
    if match := re.search(r"about (\d+) times? out of (\d+)", text):
        return 0.0 < chance < 1.0 and abs(int(match[1]) / int(match[2]) - chance) <= 0.051
    return 0.0 < chance < 0.06 if "hardly" in text else 0.94 < chance < 1.0


def gap(said: Said, low: float, high: float) -> bool:
    """Whether a choice is worth so much less than the best one, in chance to win."""
    assert said.hint.worth is not None
    assert said.best.worth is not None
    return low - 0.0002 <= said.best.worth - said.hint.worth <= high + 0.0002


Truths = Mapping[str, Callable[..., bool]]
"""Pattern of a sentence -> whether it is true, from what was said and the words of its groups."""
COMPARED: Truths = {
    r".*\. Just as good": lambda said: gap(said, 0.0, 0.003),
    r".*\. Nearly as good": lambda said: gap(said, 0.003, 0.02),
    r".*\. Not as good": lambda said: gap(said, 0.02, 1.0),
}
"""Sentences that hold a choice against the best one."""


def holds(said: Said, truths: Truths) -> bool:
    """Whether what is said is true; every sentence has to be one of those that can be judged."""
    for pattern, true in truths.items():
        if match := re.fullmatch(rf"{pattern}\.", said.hint.text):
            return true(said, *match.groups())
    raise AssertionError(f"nobody knows what makes this true: {said.hint.text}")


Hearing = Callable[[int, int], Iterable[Said]]
"""Number of players, seed of a game -> every hint in it."""


def untrue(
    heard: Hearing, games: int, truths: Truths, rules: Rules[Any, Any]
) -> tuple[Counter[str], Counter[str]]:
    """Sentences that do not hold, moves that are not legal; and how often each kind of sentence was heard.

    In so many games, of every number of players.
    """
    wrong: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    (sizes,) = rules.variants.values()
    for said in (said for game in range(games) for said in heard(sizes[game % len(sizes)], game)):
        kinds[said.hint.why] += 1
        if not holds(said, truths):
            wrong[said.hint.text] += 1
        if rules.read_action(said.hint.action) not in rules.legal_actions(said.state):
            wrong[said.hint.action] += 1
    return wrong, kinds


def decisions(game: Simulation[S, A], players: int, seed: object, policies: Sequence[str]) -> list[S]:
    """Every state of a game in which somebody has to decide something; policies repeat along the seats."""
    chance = Random(f"{seed}")
    seats: list[Policy[A]] = [game.policy(policies[seat % len(policies)]) for seat in range(players)]
    dealt = game.rules.setup(next(iter(game.rules.variants)), players, chance)
    steps = game.play_out(dealt, seats, chance)
    return [step.before for step in steps if game.rules.actor(step.before) != CHANCE]


def mixed_decisions(game: Simulation[S, A], players: int, seed: int) -> list[S]:
    """Every state to decide of a game in which some follow hints and some do as they like."""
    names = ("hinted", "sensible", "random")
    return decisions(game, players, f"truth {players} {seed}", names[seed % 3 :] + names[: seed % 3])


def adopted(rules: Rules[Any, Any], state: Any) -> Recorded:
    """A journal that holds every card, as one of a table may that was laid out open."""
    opened = Opened(VERSION, rules.name, next(iter(rules.variants)), state.players)
    return Recorded(opened, (Adopted(0.0, rules.write_state(state)),))
