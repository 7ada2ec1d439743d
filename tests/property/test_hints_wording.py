"""Every hint of whole games: a possible move, said in one short sentence without a word of notation."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from companion.games.advice import Level
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.hints.advice import advise
from companion.games.sleepless_princess.hints.hinted_players import HelpedPolicy
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.players.policies import View
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.rules.card_kinds import face_text, princess_names
from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.support.hinting import TABLES, golden, lived, play

SHORT = 125
"""Characters that a child reads at once: two rows of the smallest screen."""
NAMES = "|".join(princess_names())
NOTATION = re.compile(r"\b\d[ts]\b|[?=~·]|slot|None|inf|nan")


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_every_hint_is_a_possible_move_in_a_plain_sentence(variant: str, players: int) -> None:
    played = play(21, variant, players)
    heard = 0
    for number, moment in enumerate(lived(played, played.dealt)):
        player = RULES.actor(moment.state)
        if player == CHANCE or number % 2:
            continue
        legal = RULES.legal_actions(moment.state)
        view = RULES.view(moment.state, player)
        known = moment.minds[player]
        for hint in advise(known, view, Level.COACH).hints:
            heard += 1
            assert RULES.read_action(hint.action) in legal
            assert hint.chance is not None
            assert 0 <= hint.chance <= 1
            assert re.fullmatch(r"[A-Z][^.!?]+\.(?: [A-Z][^.!?]+\.)?", hint.text), hint.text
            assert len(hint.text) <= SHORT
            assert not NOTATION.search(hint.text), hint.text
        for hint in advise(known, view, Level.NUDGE).hints:
            # A direction, never the move: no bed, no card.
            assert not re.search(rf"{NAMES}|\d", hint.text), hint.text
            assert "?" in hint.text
            assert hint.action == ""
        for level in (Level.REFEREE, Level.MEMORY):
            for hint in advise(known, view, level).hints:
                assert hint.text.endswith(".")
                assert not NOTATION.search(hint.text), hint.text
                assert (hint.action, hint.worth, hint.chance) == ("", None, None)
        assert len(advise(known, view, Level.MEMORY).hints) == len(moment.state.beds)
    assert heard > 20


GAMES = 5
"""Games of each variant and number of players in which sentences are gathered."""


def decisions() -> Iterator[tuple[TeamKnowledge, View]]:
    """Games of careless people who ask every other turn, and what a camera saw of a bed that was turned up."""
    for variant, players in TABLES:
        for seed in range(GAMES):
            chance = Random(f"{variant} {players} {seed}")
            people = HelpedPolicy(Random(seed), 2, misread=0.1)
            for step in play_out(RULES.setup(variant, players, chance), people, chance):
                player = RULES.actor(step.after)
                if player != CHANCE:
                    yield people.known, RULES.view(step.after, player)
    dealt = RULES.setup("basic", 2, Random(0))
    known = TeamKnowledge(RULES.view(dealt, 0), beds=dealt.beds)
    known.turn_up(dealt.beds[0], [face_text(dealt.faces[slot]) for slot in dealt.beds[0]])
    yield known, RULES.view(dealt, 0)


def parts(level: Level, text: str) -> list[str]:
    """What is said of beds is put together from what is known of each mattress: each part is one wording."""
    return re.split(r"(?<=\.) ", text) if level is Level.MEMORY else [text]


@pytest.mark.long
def test_all_wordings_of_hints() -> None:
    """Each once, for people to read, whatever number or name it says; UPDATE_GOLDEN=1 writes them anew."""
    found: set[tuple[Level, str]] = set()
    for known, view in decisions():
        for level, counts in ((Level.MEMORY, True), *((level, False) for level in Level)):
            for hint in advise(known, view, level, most=99, counts=counts).hints:
                for part in parts(level, hint.text):
                    found.add((level, re.sub(r"\d+", "N", re.sub(NAMES, "NAME", part))))
    lines = [f"{level.name.lower():8} {text}" for level, text in sorted(found)]
    golden("wordings.txt", "\n".join(lines) + "\n")
