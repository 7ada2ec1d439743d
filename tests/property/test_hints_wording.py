"""Every hint of whole games: a possible move, said in one short sentence without a word of notation."""

import re

import pytest

from companion.games.engine import CHANCE
from companion.games.sleepless_princess.cards import PRINCESS_NAMES
from companion.games.sleepless_princess.rules import RULES
from companion.hints.advice import Level, advise
from tests.support.hinting import TABLES, lived, play

SHORT = 125
"""Characters that a child reads at once: two rows of the smallest screen."""
NAMES = "|".join(PRINCESS_NAMES)
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
            assert re.fullmatch(r"[A-Z][^.!?]+\.", hint.text), hint.text
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
