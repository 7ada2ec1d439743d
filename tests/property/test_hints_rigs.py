"""What sensors know and players do not: it changes no hint, and nothing that any screen hears."""

from random import Random

import msgspec
import pytest

from companion.advice.sleepless_princess import answer
from companion.core.language import on_wire
from companion.games.advice import LEVELS
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.rules.actions import Claim, Know, Look, Touch
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import OUT
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_lines import Done
from companion.session.stream.commands import AskHint
from tests.support.hinting import BlindRig, Played, WatchedGame, counted, other_faces, play, told_slots

on_stream = msgspec.json.Encoder(enc_hook=on_wire).encode
"""Bytes of an answer or an event as the stream carries it."""

LONGEST = 36
"""Actions of each game that are watched."""
EVERY = 11
"""Hints are asked for at every so-many-th decision."""


def hints(recorded: Recorded, *, aloud: bool = False) -> list[bytes]:
    """The answer at every level, as it goes over the stream."""
    return [on_stream(answer(recorded, AskHint(level), aloud=aloud)) for level in LEVELS]


def knowing(recorded: Recorded, played: Played, upto: int) -> Recorded:
    """The same game, recorded by a rig that learns a mattress when players do, and no other."""
    slots = {slot for before, action in played.history[:upto] for slot, _ in told_slots(before, action)}
    known = [Done(0.0, RULES.write_action(Know(slot, played.dealt.faces[slot]))) for slot in sorted(slots)]
    return Recorded(recorded.opened, (*recorded.lines, *known))


@pytest.mark.quick(1)
@pytest.mark.parametrize(("seed", "variant", "players"), [(1, "basic", 3), (2, "5+", 4)])
def test_a_pad_that_knows_everything_helps_no_hint(seed: int, variant: str, players: int) -> None:
    """One rig read every mattress while it was dealt, the other none: hints know what players found out."""
    played = play(seed, variant, players)
    seeing, blind = WatchedGame(played.dealt), WatchedGame(played.dealt, rig=BlindRig)
    asked = found = 0
    for number, (before, action) in enumerate(played.history[:LONGEST]):
        if number % EVERY == 0 and RULES.actor(before) != CHANCE:
            asked += 1
            assert hints(seeing.session.statements.recorded) == hints(
                knowing(blind.session.statements.recorded, played, number)
            )
            if not found:
                assert hints(seeing.session.statements.recorded) == hints(blind.session.statements.recorded)
                assert on_stream(seeing.events) == on_stream(blind.events)
        found += isinstance(action, Touch | Look | Claim)
        seeing.do(action)
        blind.do(action)
    assert asked > 2
    assert -1 not in seeing.session.tracker.state.faces


@pytest.mark.long
@pytest.mark.parametrize(("seed", "variant", "players"), [(5, "5+", 3), (2, "basic", 2)])
def test_where_players_tell_what_they_felt_no_sensor_is_needed(seed: int, variant: str, players: int) -> None:
    """A rig that knows nothing gives the same hints as one that knows everything, wrong claims or not."""
    played = play(seed, variant, players)
    seeing, blind = WatchedGame(played.dealt), WatchedGame(played.dealt, rig=BlindRig)
    said = told = refuted = 0
    # Without the last action: where no card is read, the claim that ends a game waits for people.
    for number, (before, action) in enumerate(played.history[:-1]):
        refuted += OUT in before.fates
        for watched in (seeing, blind):
            watched.do(action)
            if isinstance(action, Touch | Look):
                watched.say(before, action)
                said += 1
        # Without a reader, the claim that ends the game waits until its cards have been seen for a while.
        if number % EVERY == 0 and number < len(played.history) - 1:
            memory = hints(seeing.session.statements.recorded)
            assert memory == hints(blind.session.statements.recorded)
            told += any(b"felt" in hint for hint in memory)
    assert said >= 4
    assert told > 2
    assert refuted > EVERY


@pytest.mark.long
@pytest.mark.parametrize(("seed", "variant", "players"), [(6, "5+", 3), (5, "basic", 2)])
def test_other_mattresses_under_the_sensors_change_nothing_that_is_said(
    seed: int, variant: str, players: int
) -> None:
    """Two tables whose sensors know different mattresses, and whose players found out the same."""
    played = play(seed, variant, players)
    upto = min(LONGEST, len(played.history) * 2 // 3)
    dealt = other_faces(played, upto, Random(seed))
    rest = list(dealt.deck[: len(played.history[upto][0].deck)])
    Random(seed).shuffle(rest)
    dealt = dealt._replace(deck=(*rest, *dealt.deck[len(rest) :]))
    assert dealt.faces != played.dealt.faces
    one, other = WatchedGame(played.dealt), WatchedGame(dealt)
    for number, (before, action) in enumerate(played.history[:upto]):
        if number % EVERY == 0 and RULES.actor(before) != CHANCE:
            pair = [one.session.statements.recorded, other.session.statements.recorded]
            told, again = map(hints, pair)
            assert told == again
            # Both are warm now: what is kept of the one must serve the other.
            work, same_work = (counted(lambda recorded=recorded: hints(recorded)) for recorded in pair)
            assert work == same_work
        one.do(action)
        other.do(action)
        assert one.events[-1:] == other.events[-1:]
    assert on_stream(one.events) == on_stream(other.events)
    assert one.session.tracker.state.faces != other.session.tracker.state.faces


@pytest.mark.long
@pytest.mark.parametrize(("seed", "variant", "players"), [(8, "5+", 3), (7, "basic", 2)])
def test_in_a_silent_game_what_others_found_out_changes_nothing_that_is_said(
    seed: int, variant: str, players: int
) -> None:
    """Two tables alike to one player: all screens are, so are their own hints and those that all hear."""
    played = play(seed, variant, players, silent=True)
    upto, player = min(LONGEST, len(played.history) * 3 // 4), seed % players
    dealt = other_faces(played, upto, Random(seed), player)
    pair = [WatchedGame(played.dealt), WatchedGame(dealt)]
    private = differs = 0
    for number, (before, action) in enumerate(played.history[:upto]):
        actor = RULES.actor(before)
        one, other = (watched.session.statements.recorded for watched in pair)
        if number % EVERY == 0 and actor != CHANCE:
            assert hints(one, aloud=True) == hints(other, aloud=True)
        if actor == player:
            assert hints(one) == hints(other)
            private += any(b'"private":true' in hint for hint in hints(one))
        elif actor != CHANCE and isinstance(action, Touch | Look):
            differs += hints(one) != hints(other)
        for watched in pair:
            watched.do(action)
            if isinstance(action, Touch | Look):
                watched.say(watched.state, action)
    assert on_stream(pair[0].events) == on_stream(pair[1].events)
    assert private > 2
    assert differs
