"""Hints spoil nothing: other hidden cards that agree with what the team knows change no byte and no step."""

from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.language import on_wire
from companion.games.advice import Level
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.hints.advice import advise
from companion.games.sleepless_princess.hints.face_posterior import forget_kept
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.support.hinting import (
    TABLES,
    Moment,
    counted,
    lived,
    other_cards,
    other_faces,
    play,
)

on_stream = msgspec.json.Encoder(enc_hook=on_wire).encode
"""Bytes of an answer or an event as the stream carries it."""

GAMES = 5
"""Games of each variant and number of players: about three thousand positions in all."""
WORLDS = 3
"""How often in each game the hidden mattresses are replaced."""
COUNTED = 24
"""In every so-many-th position all levels are compared, and their work is counted from a cold start."""


def work_of(known: TeamKnowledge, view: Any, level: Level) -> int:
    """The work of a hint when nothing of the belief is kept from before."""
    forget_kept()
    known.forget_chances()
    return counted(lambda: advise(known, view, level))


def agree(one: Moment, other: Moment, player: int, chance: Random, *, work: bool) -> None:
    """Both moments look alike to the player, and every hint is the same byte by byte; so is its work."""
    known, again = one.minds[player], other.minds[player]
    view = RULES.view(one.state, player)
    other_view = RULES.view(other_cards(other.state, player, known.held, chance), player)
    assert msgspec.json.encode(view) == msgspec.json.encode(other_view)
    for level in Level if work else (Level.COACH,):
        hints = on_stream(advise(known, view, level))
        assert hints == on_stream(advise(again, other_view, level))
        if work:
            assert work_of(known, view, level) == work_of(again, other_view, level)


@pytest.mark.quick(1)
@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_hidden_cards_change_no_hint_no_screen_and_no_work(variant: str, players: int) -> None:
    seen = replaced = 0
    for seed in range(GAMES):
        chance = Random(f"{variant} {players} {seed}")
        played = play(seed, variant, players)
        compared = 0
        for world in range(1, WORLDS + 1):
            upto = len(played.history) * world // WORLDS
            dealt = other_faces(played, upto, chance)
            replaced += dealt.faces != played.dealt.faces
            moments = zip(lived(played, played.dealt), lived(played, dealt), strict=True)
            for number, (one, other) in enumerate(moments):
                if number >= upto:
                    break
                assert one.screens == other.screens
                player = RULES.actor(one.state)
                if number >= compared and player != CHANCE:
                    seen += 1
                    agree(one, other, player, chance, work=seen % COUNTED == 0)
            compared = upto
    assert seen > 150
    assert replaced > GAMES


def test_in_a_silent_game_a_hint_tells_only_what_its_player_found_out() -> None:
    """What others felt and saw alone may be anything else: the hints of this player stay the same."""
    differs = 0
    for seed, (variant, players) in enumerate(TABLES):
        chance = Random(seed)
        played = play(seed, variant, players, silent=True)
        upto, player = len(played.history) * 3 // 4, seed % players
        neighbour = (player + 1) % players
        dealt = other_faces(played, upto, chance, player)
        moments = zip(lived(played, played.dealt), lived(played, dealt), strict=True)
        for number, (one, other) in enumerate(moments):
            if number >= upto:
                break
            assert one.screens == other.screens
            if RULES.actor(one.state) == player:
                agree(one, other, player, chance, work=number % COUNTED == 0)
                differs += one.minds[neighbour].felt != other.minds[neighbour].felt
    assert differs > 0
