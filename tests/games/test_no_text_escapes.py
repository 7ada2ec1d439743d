"""No text escapes the catalogues: in the tests' language every letter that a screen is sent was translated."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core import language
from companion.core.language import PSEUDO, Language, on_wire, rendered
from companion.dashboard.widgets.big_letters import big
from companion.games.advice import Level
from companion.games.registry import load_configured
from companion.games.rules import CHANCE, IllegalError
from companion.games.sleepless_princess.hints.advice import advise as advise_princess
from companion.games.sleepless_princess.hints.hinted_players import HelpedPolicy
from companion.games.sleepless_princess.players.simulation import play_out as play_princess
from companion.games.table_game import askable_fact
from companion.virtual.games.sleeping_queens import queens_play
from companion.virtual.games.sleeping_queens_2 import choice_words
from companion.virtual.games.sleepless_princess import seat_view
from tests.games.test_sentences import hints_of_queens, hints_of_queens_2, walk_queens, walk_queens_2

GAMES = ("sleepless-princess", "sleeping-queens", "sleeping-queens-2")
IN_WORDS: dict[str, Callable[[Any, Any], str]] = {
    "sleepless-princess": seat_view.in_words,
    "sleeping-queens": queens_play.in_words,
    "sleeping-queens-2": choice_words.in_words,
}
"""Game -> what a person in a seat may choose, in words."""
SHOWN = ("title", "call", "may", "may_not", "name", "claim", "shown", "text")
"""Fields of a table that people read."""
_PLAIN = re.compile(r"[A-Za-z]{2,}")


def read_by_people(value: Any, field: str = "") -> Iterator[str]:
    """Every string of a table that stands on a screen."""
    match value:
        case str() if field in SHOWN:
            yield value
        case list():
            for one in value:
                yield from read_by_people(one, field)
        case dict():
            for name, one in value.items():
                yield from read_by_people(one, name)


def step(game: Any, state: Any, chance: Random) -> tuple[Any, Any] | None:
    """A random action that needs no card named, and the state after it; None at the end."""
    for action in chance.sample(legal := list(game.legal_actions(state)), len(legal)):
        with suppress(IllegalError):
            return action, game.apply(state, action)
    return None


def in_pseudo(value: Any) -> Any:
    """What a screen in the tests' language makes of a line of the stream."""
    return rendered(json.loads(msgspec.json.encode(value, enc_hook=on_wire)), Language(PSEUDO))


@pytest.mark.parametrize("name", GAMES)
def test_every_table_and_message_of_a_game_is_translated(name: str) -> None:
    game = load_configured(name, {})
    chance = Random(11)
    state = game.setup(next(iter(game.variants)), 3, chance)
    told: set[str] = set()
    for _ in range(120):
        done = step(game, state, chance)
        if done is None:
            break
        action, after = done
        message = game.message(state, action, after)
        fact = askable_fact(game, state, action)
        told |= set(read_by_people(in_pseudo(game.screen(after, "memory"))))
        told |= {in_pseudo(one) for one in (message and message.text, fact and fact.question) if one}
        state = after
    outcome = game.outcome(state)
    if outcome is not None:
        said = game.headline(outcome)
        told |= {in_pseudo(one) for one in (outcome.text, said.big, said.counted, said.line)}
    assert len(told) > 40
    assert [one for one in told if _PLAIN.search(one)] == []


@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_says_at_the_start_is_translated(name: str) -> None:
    words = load_configured(name, {}).words
    said = [*words.titles, *words.turn_titles, words.claim_title, words.tell_title, *words.losses.values()]
    said += [*(sentence for sentence, _ in words.verdicts.values()), words.turned_up, words.unclear]
    assert [one for one in map(in_pseudo, said) if _PLAIN.search(one)] == []


@pytest.mark.parametrize("code", list(language.LANGUAGES))
@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_big_is_short_in_every_language(name: str, code: str) -> None:
    game, chance, tongue = load_configured(name, {}), Random(3), Language(code)
    state = game.setup(next(iter(game.variants)), 3, chance)
    calls = {tongue.say(one) for one in (*game.words.titles, *game.words.turn_titles)}
    for _ in range(60):
        done = step(game, state, chance)
        if done is None:
            break
        state = done[1]
        calls.add(tongue.say(game.screen(state, "").get("call", "")))
    unwatched = game.screen(game.empty_table(next(iter(game.variants)), 3), "", frozenset())
    calls.add(tongue.say(unwatched["call"]))
    assert {one for one in calls if len(one) > 14} == set()


def hints(name: str) -> Iterator[str]:
    """What hints of one game say, at every level."""
    chance, rules = Random(5), load_configured(name, {})
    state = rules.setup(next(iter(rules.variants)), 3, chance)
    people = HelpedPolicy(Random(5), 1, misread=0.1)
    if name == "sleepless-princess":
        for step in islice(play_princess(state, people, chance), 90):
            player = rules.actor(step.after)
            for level in Level if player != CHANCE else ():
                found = advise_princess(people.known, rules.view(step.after, player), level)
                yield from (hint.text for hint in found.hints)
        return
    advised, walk = (
        (hints_of_queens, walk_queens) if name == "sleeping-queens" else (hints_of_queens_2, walk_queens_2)
    )
    for state, _, _ in islice(walk(2), 90):
        if rules.actor(state) != CHANCE and getattr(state, "undo", None) is None:
            yield from (hint.text for advice in advised(state) for hint in advice.hints)


@pytest.mark.parametrize("name", GAMES)
def test_every_hint_of_a_game_is_translated(name: str) -> None:
    told = set(map(in_pseudo, hints(name)))
    assert len(told) > 40
    assert [one for one in told if _PLAIN.search(one)] == []


@pytest.mark.parametrize("name", GAMES)
def test_what_a_person_in_a_seat_may_choose_is_translated(name: str) -> None:
    game, chance = load_configured(name, {}), Random(7)
    state, told = game.setup(next(iter(game.variants)), 3, chance), set()
    for _ in range(80):
        if game.actor(state) != CHANCE:
            told |= {in_pseudo(IN_WORDS[name](state, one)) for one in game.legal_actions(state)}
        done = step(game, state, chance)
        if done is None:
            break
        state = done[1]
    assert len(told) > 15
    assert [one for one in told if _PLAIN.search(one)] == []


def test_lessons_are_translated() -> None:
    lessons = [one for name in GAMES for one in load_configured(name, {}).words.lessons]
    said = [in_pseudo(one) for lesson in lessons for one in (lesson.title, lesson.text, lesson.section)]
    assert len(said) > 30
    assert [one for one in said if _PLAIN.search(one)] == []


NOUNS = {
    "JESTER",
    "INSTANT",
    "GNOME",
    "COMPANION",
    "HOFNARR",
    "SOFORT",
    "GNOM",
    "GEFÄHRTE",
    "AUFBAU",
    "SCHLUSS",
}
NOUNS |= {
    "RITTERTAUSCH",
    "BOUFFON",
    "IMMÉDIAT",
    "COMPAGNON",
    "CHEVALIERS",
    "UNE REINE",
    "AU LIT",
    "MISE EN PLACE",
}
NOUNS |= {"GIULLARE", "PAGLIACCIO", "SUBITO", "GNOMO", "COMPAGNO", "UNA REGINA", "CAVALIERI", "PREPARAZIONE"}
"""What was written big although it says nothing of what to do."""


@pytest.mark.parametrize("code", list(language.LANGUAGES))
@pytest.mark.parametrize("name", GAMES)
def test_what_is_written_big_says_what_to_do_with_what(name: str, code: str) -> None:
    words = load_configured(name, {}).words
    said = {Language(code).say(one) for one in (*words.titles, *words.turn_titles)}
    assert not said & NOUNS
    if code == language.ENGLISH:
        assert {one for one in said if " " not in one} == set(), "a verb and its object"


def test_accents_are_seen_in_big_letters() -> None:
    assert all(big(accented) != big(plain) for accented, plain in zip("ÉÈÊËÀÂ", "EEEEAA", strict=True))
    assert all(big(letter) != big("2") for letter in "ÉÈÊË")
