"""Every sentence of both queens games, at the table and in hints, is in a table of the game."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from itertools import combinations
from random import Random
from typing import Any

import pytest

from companion.core.language import Text
from companion.games import table_words, win_claims
from companion.games.advice import Advice, Level
from companion.games.appearance import Difference
from companion.games.hint_words import COMPARED, Often
from companion.games.registry import load_game
from companion.games.rules import CHANCE
from companion.games.sleeping_queens import wording as queens
from companion.games.sleeping_queens.hints import hint_wording as queens_hints
from companion.games.sleeping_queens.hints.advice import advise as advise_queens
from companion.games.sleeping_queens.hints.player_knowledge import known_state as known_queens
from companion.games.sleeping_queens.rules.game_end import OUTCOME
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


def in_a_state(rules: Any, state: Any) -> Iterator[str]:
    """All that is said of what lies there, with a camera and without."""
    screen = rules.screen(state, "referee")
    yield from (*screen["may"], *screen["may_not"], *rules.screen(state, "referee", frozenset())["may_not"])
    for player in range(state.players):
        if (unclaimed := rules.claimable(state, player)) is not None:
            yield unclaimed
        yield from rules.judge(state, player).reasons


def at_the_table(rules: Any, before: Any, action: Any, after: Any) -> Iterator[str]:
    """All that is said of one step."""
    yield from in_a_state(rules, after)
    if message := rules.message(before, action, after):
        yield message.text
    if (outcome := rules.outcome(after)) is not None:
        yield outcome.text
        yield rules.headline(outcome).line


def differences(rules: Any, state: Any) -> Iterator[str]:
    zones = [zone.name for zone in rules.mat("").zones]
    for extra, missing in combinations(SEEN, 2):
        for zone in zones:
            yield rules.difference(state, Difference(zone, extra, missing))
            yield rules.difference(state, Difference(zone, missing, extra))


def hints_of_queens(state: Any) -> Iterator[Advice]:
    rules = load_game("sleeping-queens")
    player = rules.actor(state)
    known = known_queens(rules.view(state, player))
    untold = known._replace(hands=tuple((UNKNOWN,) * len(hand) for hand in known.hands))
    for level in Level:
        yield from (advise_queens(world, player, level) for world in (known, untold))


def hints_of_queens_2(state: Any) -> Iterator[Advice]:
    rules = load_game("sleeping-queens-2")
    known = known_queens_2(rules.view(state, rules.actor(state)), state.parts)
    return (advise_queens_2(known, level) for level in Level)


def each(said: str) -> Iterator[str]:
    """The sentences of a hint."""
    if isinstance(said, Text) and said.id == "{before} {after}":
        yield from each(said.values["before"])
        yield said.values["after"]
    else:
        yield said


def ids_in(table: object) -> Iterator[str]:
    """Id of every sentence in a table, however deep."""
    if isinstance(table, Text):
        yield table.id
    elif isinstance(table, Mapping):
        yield from (one for value in table.values() for one in ids_in(value))
    elif isinstance(table, Often):
        yield from (one for field in fields(table) for one in ids_in(getattr(table, field.name)))
    elif isinstance(table, tuple):
        yield from (one for value in table for one in ids_in(value))


SAID_BY_BOTH = (win_claims.WIN_REASONS, win_claims.UNCLAIMED, table_words.DIFFERENCES, OUTCOME)


@pytest.mark.parametrize(
    ("name", "walk", "wording", "rare"),
    [
        ("sleeping-queens", walk_queens, queens, [win_claims.UNCLAIMED["not begun"]]),
        (
            "sleeping-queens-2",
            walk_queens_2,
            queens_2,
            [queens_2.PROMPTS["mix"], queens_2.PROMPTS["no equation"]],
        ),
    ],
)
def test_what_is_said_at_the_table_is_in_a_table(
    name: str, walk: Any, wording: Any, rare: Iterable[Text]
) -> None:
    rules = load_game(name)
    empty = rules.empty_table(next(iter(rules.variants)), 3)
    said = {*in_a_state(rules, empty)}
    if hasattr(empty, "knights"):
        said.update(in_a_state(rules, empty._replace(knights=(0, 1, 2))))
    for seed in range(8):
        for _, (before, action, after) in zip(range(300), walk(seed), strict=False):
            said.update(at_the_table(rules, before, action, after))
        said.update(differences(rules, after))
    told = {one.id if isinstance(one, Text) else one for one in said}
    wanted = {*ids_in((wording.PROMPTS, wording.HEADLINE, SAID_BY_BOTH))}
    assert told <= wanted | {*ids_in(wording.MESSAGES)}
    assert len(said) > 300
    assert wanted - told <= {one.id for one in rare}, "a sentence that nobody says"


@pytest.mark.parametrize(
    ("name", "walk", "wording", "hints"),
    [
        ("sleeping-queens", walk_queens, queens_hints, hints_of_queens),
        ("sleeping-queens-2", walk_queens_2, queens_2_hints, hints_of_queens_2),
    ],
)
def test_what_hints_say_is_in_a_table(name: str, walk: Any, wording: Any, hints: Any) -> None:
    rules, told = load_game(name), set[str]()
    for seed in range(4):
        for at, (state, _, _) in enumerate(walk(seed)):
            if at > 120:
                break
            if at % 3 or rules.actor(state) == CHANCE or getattr(state, "undo", None) is not None:
                continue
            for advice in hints(state):
                told |= {
                    said.id if isinstance(said, Text) else said
                    for hint in advice.hints
                    for said in each(hint.text)
                }
    assert told <= {*ids_in((vars(wording), COMPARED))}
    assert len(told) > 40
