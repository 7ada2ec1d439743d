"""Every sentence of both queens games, at the table and in hints, is one of the game's catalogue."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from companion.core.language import Text
from companion.games.advice import Advice, Level
from companion.games.appearance import Difference
from companion.games.registry import load_game
from companion.games.rules import CHANCE
from companion.games.sleeping_queens import wording as queens
from companion.games.sleeping_queens.hints import hint_wording as queens_hints
from companion.games.sleeping_queens.hints.advice import advise as advise_queens
from companion.games.sleeping_queens.hints.player_knowledge import known_state as known_queens
from companion.games.sleeping_queens.rules.kinds import UNKNOWN
from companion.games.sleeping_queens.rules.state import Phase
from companion.games.sleeping_queens_2 import wording as queens_2
from companion.games.sleeping_queens_2.hints import hint_wording as queens_2_hints
from companion.games.sleeping_queens_2.hints.advice import advise as advise_queens_2
from companion.games.sleeping_queens_2.hints.player_knowledge import known_state as known_queens_2
from tests.games.sleeping_queens.test_queens_table import possible
from tests.support.sleeping_queens_2 import walk_against_rules

Walk = Iterator[tuple[Any, Any, Any]]
SEEN = ((), ("?",), ("3", "8"))


def walk_queens(seed: int) -> Walk:
    """A game of Sleeping Queens, steps that the rules forbid among them."""
    chance, rules = Random(seed), load_game("sleeping-queens")
    state = rules.setup("basic", 2 + seed % 4, chance)
    while state.phase is not Phase.OVER:
        action, after = chance.choice([*possible(state)])
        yield state, action, after
        state = after


def walk_queens_2(seed: int) -> Walk:
    """The same of the second game."""
    return walk_against_rules("standard", 2 + seed % 4, seed)


def in_a_state(rules: Any, state: Any) -> Iterator[tuple[str, str]]:
    """The same of what lies there, with a camera and without."""
    screen = rules.screen(state, "referee")
    yield from (("prompt", text) for text in (*screen["may"], *screen["may_not"]))
    yield from (("prompt", text) for text in rules.screen(state, "referee", frozenset())["may_not"])
    for player in range(state.players):
        if (unclaimed := rules.claimable(state, player)) is not None:
            yield "unclaimed", unclaimed
        yield from (("verdict", text) for text in rules.judge(state, player).reasons)


def at_the_table(rules: Any, before: Any, action: Any, after: Any) -> Iterator[tuple[str, str]]:
    """(group, sentence) of all that is said of one step."""
    yield from in_a_state(rules, after)
    if message := rules.message(before, action, after):
        yield "message", message.text
    if (outcome := rules.outcome(after)) is not None:
        yield "end", outcome.text
        yield "end", rules.headline(outcome).line


def differences(rules: Any, state: Any) -> Iterator[tuple[str, str]]:
    zones = [zone.name for zone in rules.mat("").zones]
    for extra, missing in combinations(SEEN, 2):
        for zone in zones:
            yield "difference", rules.difference(state, Difference(zone, extra, missing))
            yield "difference", rules.difference(state, Difference(zone, missing, extra))


def hints_of_queens(state: Any) -> Iterator[tuple[Level, Advice]]:
    rules = load_game("sleeping-queens")
    player = rules.actor(state)
    known = known_queens(rules.view(state, player))
    untold = known._replace(hands=tuple((UNKNOWN,) * len(hand) for hand in known.hands))
    for level in Level:
        yield from ((level, advise_queens(world, player, level)) for world in (known, untold))


def hints_of_queens_2(state: Any) -> Iterator[tuple[Level, Advice]]:
    rules = load_game("sleeping-queens-2")
    known = known_queens_2(rules.view(state, rules.actor(state)), state.parts)
    return ((level, advise_queens_2(known, level)) for level in Level)


GROUPS = {
    Level.REFEREE: ("rule",),
    Level.MEMORY: ("memory",),
    Level.NUDGE: ("question", "ask"),
    Level.COACH: ("hint", "reason", "ask", "compared"),
}
"""Level -> groups of the catalogue whose sentences it says."""


def each(said: str) -> Iterator[str]:
    """The sentences of a hint."""
    if isinstance(said, Text) and said.id == "{before} {after}":
        yield from each(said.values["before"])
        yield said.values["after"]
    else:
        yield said


def escaped(catalogue: Mapping[str, str], groups: Sequence[str], text: str, told: set[str]) -> bool:
    """Whether a sentence is none of these groups; else what it is one of is added to `told`."""
    # The most words first: some sentences are nothing but what changes.
    for name, sentence in sorted(catalogue.items(), key=lambda item: -len(item[1])):
        if name.partition(".")[0] in groups and pattern(sentence).fullmatch(text):
            told.add(name)
            return False
    return True


_PATTERNS: dict[str, re.Pattern[str]] = {}


def pattern(sentence: str) -> re.Pattern[str]:
    """A sentence with any words in the places that change."""
    if sentence not in _PATTERNS:
        forms = [sentence.id, sentence.many] if isinstance(sentence, Text) and sentence.many else [sentence]
        fixed = (re.split(r"\{\w+\}", form) for form in forms)
        _PATTERNS[sentence] = re.compile("|".join("(.*)".join(map(re.escape, parts)) for parts in fixed))
    return _PATTERNS[sentence]


@pytest.mark.parametrize(
    ("name", "walk", "catalogue", "rare"),
    [
        ("sleeping-queens", walk_queens, queens.SENTENCES, {"unclaimed.not begun"}),
        ("sleeping-queens-2", walk_queens_2, queens_2.SENTENCES, {"prompt.mix", "prompt.no equation"}),
    ],
)
def test_what_is_said_at_the_table_is_in_the_catalogue(
    name: str, walk: Any, catalogue: Mapping[str, str], rare: Iterable[str]
) -> None:
    rules, told = load_game(name), set[str]()
    empty = rules.empty_table(next(iter(rules.variants)), 3)
    said = dict.fromkeys(in_a_state(rules, empty))
    if hasattr(empty, "knights"):
        said.update(dict.fromkeys(in_a_state(rules, empty._replace(knights=(0, 1, 2)))))
    for seed in range(8):
        for _, (before, action, after) in zip(range(300), walk(seed), strict=False):
            said.update(dict.fromkeys(at_the_table(rules, before, action, after)))
        said.update(dict.fromkeys(differences(rules, after)))
    assert [(group, text) for group, text in said if escaped(catalogue, [group], text, told)] == []
    assert len(said) > 300
    missing = {one for one in catalogue if not one.startswith("message.")} - told
    assert missing <= set(rare), "a sentence that nobody says"


@pytest.mark.parametrize(
    ("name", "walk", "catalogue", "hints"),
    [
        ("sleeping-queens", walk_queens, queens_hints.SENTENCES, hints_of_queens),
        ("sleeping-queens-2", walk_queens_2, queens_2_hints.SENTENCES, hints_of_queens_2),
    ],
)
def test_what_hints_say_is_in_the_catalogue(
    name: str, walk: Any, catalogue: Mapping[str, str], hints: Any
) -> None:
    rules, told = load_game(name), set[str]()
    for seed in range(4):
        for at, (state, _, _) in enumerate(walk(seed)):
            if at > 120:
                break
            if at % 3 or rules.actor(state) == CHANCE or getattr(state, "undo", None) is not None:
                continue
            for level, advice in hints(state):
                for hint in advice.hints:
                    for said in each(hint.text):
                        assert not escaped(catalogue, GROUPS[level], said, told), said
    assert len(told) > 40
