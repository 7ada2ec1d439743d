"""The worlds that came later: what people, contacts and filters of each really do, told from their games."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from companion.games.sleepless_princess.rules.actions import Discard, Done, Final, Move, Play, Skip
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import AWAKE, State
from companion.sensing.observation import Button, Count, Observation, Sighting, TagRead, Texture
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.games.sleepless_princess.player_slips import swept_by_next
from companion.virtual.games.sleepless_princess.world_habits import TILE_CARDS, TOPPLED_S, Habits
from companion.virtual.games.sleepless_princess.worlds import WORLDS
from companion.virtual.rehearsal_api import ActedGame, Doing
from companion.virtual.rehearsal_world import RehearsalWorld
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.rig.unusual_sensors import Place
from companion.virtual.rig.worn_sensors import Bouncing, Flickering, Settling
from tests.support.observed import sighting

SEED = 3
ONE_SCALE = Place(RigPlan(("bed 1",)), 0.0, 60.0)


@cache
def acted_with(habits: Habits, seed: int = SEED) -> ActedGame:
    world = RehearsalWorld("test", "", held_out=True, habits=habits)
    return VIRTUAL.act_in(world, seed, "basic", 3, 0.3, tapped=True)


def actions(acted: ActedGame) -> list[object]:
    return [doing.action for doing in acted.playing if doing.action is not None]


def with_states(acted: ActedGame) -> Iterator[tuple[Doing, State]]:
    """Everything that is done, with the true state before it; each action is one that the rules allow."""
    state: State = RULES.setup("basic", 3, Random(f"{SEED} deal"))
    for doing in acted.playing:
        yield doing, state
        if doing.action is not None:
            assert doing.action in RULES.legal_actions(state)
            state = RULES.apply(state, doing.action)
    assert state == acted.end


def codes_dealt(acted: ActedGame) -> list[str]:
    """The codes of the mattresses in the order in which they are dealt: by slot."""
    read = (seen for doing in acted.laying_out for batch in doing.batches for seen in batch)
    return [seen.card for seen in read if isinstance(seen, TagRead) and seen.card is not None]


def counted(batches: Sequence[Sequence[Observation]]) -> list[tuple[str, int]]:
    return [(seen.station, seen.n) for batch in batches for seen in batch if isinstance(seen, Count)]


@pytest.mark.parametrize("habit", ["curious_taps", "tiles_toppled", "sleeves_stuck"])
def test_such_people_play_the_usual_game_by_the_rules(habit: str) -> None:
    acted = acted_with(Habits(**{habit: 1.0}))
    assert actions(acted) == actions(acted_with(Habits()))
    assert len(list(with_states(acted))) == len(acted.playing)
    assert acted.happened > 0


def test_a_curious_child_taps_the_top_mattress_and_puts_it_back() -> None:
    acted = acted_with(Habits(curious_taps=1.0))
    codes = codes_dealt(acted)
    times = 0
    for doing, state in with_states(acted):
        if doing.action is None:
            times += 1
            ((lifted,), (read, pressed), (empty,), (back,)) = doing.batches
            assert isinstance(lifted, Count)
            assert isinstance(back, Count)
            assert isinstance(read, TagRead)
            assert isinstance(pressed, Texture)
            assert isinstance(empty, TagRead)
            bed = state.beds[int(lifted.station[-1]) - 1]
            assert (back.station, back.n, lifted.n) == (lifted.station, len(bed), len(bed) - 1)
            assert (read.card, empty.card) == (codes[bed[-1]], None)
            assert doing.lifted
    assert times == acted.happened


def test_a_tile_topples_on_the_bed_of_a_princess_who_is_awake_any_side_up_and_stands_again() -> None:
    acted = acted_with(Habits(tiles_toppled=1.0))
    sides = set[str]()
    for doing, state in with_states(acted):
        if doing.action is None:
            (weighed, lying), (lighter, gone) = doing.batches
            assert isinstance(lying, Sighting)
            (tile,) = lying.cards
            bed = int(lying.zone[-1]) - 1
            assert state.fates[bed] == AWAKE
            assert tile.card[:-1] == f"P{state.princesses[bed]}"
            sides.add(tile.card[-1])
            assert isinstance(weighed, Count)
            assert isinstance(lighter, Count)
            assert weighed.n - len(state.beds[bed]) in TILE_CARDS
            assert lighter.n == len(state.beds[bed])
            assert isinstance(gone, Sighting)
            assert (gone.zone, gone.cards) == (lying.zone, ())
            assert TOPPLED_S[0] <= doing.gaps[1] <= TOPPLED_S[1]
    assert sides == {"A", "D"}


def test_a_mattress_that_sticks_to_the_moved_one_goes_back_from_the_hand_or_from_the_other_bed() -> None:
    acted = acted_with(Habits(sleeves_stuck=1.0))
    lengths = set[int]()
    for doing, state in with_states(acted):
        if isinstance(doing.action, Move):
            source, target = doing.action.source, doing.action.target
            n, m = len(state.beds[source]), len(state.beds[target])
            counts = counted(doing.batches)
            if n == 1:
                # Nothing lies above it.
                assert counts[0] == (f"bed {source + 1}", 0)
            elif source != target:
                one, other = f"bed {source + 1}", f"bed {target + 1}"
                at_once = [(one, n - 2), (one, n - 1), (other, m + 1)]
                late = [(one, n - 2), (other, m + 2), (other, m + 1), (one, n - 1)]
                assert counts in (at_once, late)
                lengths.add(len(counts))
    assert lengths == {3, 4}


def test_played_cards_that_are_left_lying_are_swept_when_the_next_turn_begins() -> None:
    usual, acted = acted_with(Habits()), acted_with(Habits(played_left=1.0))
    assert [one for one in actions(acted) if one != Done()] == [one for one in actions(usual) if one != Done()]
    assert acted.happened == actions(acted).count(Done()) == actions(usual).count(Done()) > 0
    assert acted.end == usual.end
    begins = Play | Discard | Skip | Final
    done = actions(acted)
    assert all(isinstance(after, begins) for one, after in pairwise(done) if one == Done())


def test_played_cards_that_the_last_turn_leaves_are_swept_in_the_end() -> None:
    told, times = swept_by_next([Doing(Done(), []), Doing(None, [])], 1.0, Random(1))
    assert ([doing.action for doing in told], times) == ([None, Done()], 1)


def test_a_hurried_table_has_nothing_but_two_milder_known_worlds() -> None:
    hurried, fast, many = (WORLDS[name] for name in ("hurried-table", "fast-players", "hands-many"))
    assert fast.pace < hurried.pace < 1
    assert 0 < hurried.habits.at_once < many.habits.at_once
    assert hurried.habits == Habits(at_once=hurried.habits.at_once)
    assert not hurried.laws
    assert not hurried.noise


def test_a_worn_button_is_reported_once_more_and_nothing_else_is() -> None:
    heard = [Button(1.0, "bed 1"), sighting("row", "H07A", t=1.1), Button(9.0, "bed 2")]
    told, happened = Bouncing(1.0, (0.2, 0.4)).apply(heard, ONE_SCALE, Random(1))
    presses = [seen for seen in told if isinstance(seen, Button)]
    assert [seen.station for seen in presses] == ["bed 1", "bed 1", "bed 2", "bed 2"]
    assert happened == 2
    assert 0.2 <= presses[1].t - 1.0 <= 0.4
    assert [seen for seen in told if seen in heard] == heard
    assert Bouncing(0.0, (0.2, 0.4)).apply(heard, ONE_SCALE, Random(1)) == (heard, 0)


def load(*counts: tuple[float, int]) -> list[Observation]:
    return [Count(t, "bed 1", n, float(n)) for t, n in counts]


def test_a_scale_that_settles_late_reports_what_stays_and_not_what_passes() -> None:
    heard = load((1.0, 3), (10.0, 2), (11.0, 3), (20.0, 2), (21.0, 4), (30.0, 5))
    heard.append(Button(40.0, "bed 2"))
    told, happened = Settling((2.0, 2.0)).apply(heard, ONE_SCALE, Random(1))
    counts = [(seen.t, seen.n) for seen in told if isinstance(seen, Count)]
    assert counts == [(3.0, 3), (23.0, 4), (32.0, 5)]
    assert happened == 3
    assert told[-1] == Button(40.0, "bed 2")


def test_a_scale_that_settles_late_repeats_its_load_when_the_board_does_and_reports_the_last_one() -> None:
    told, _ = Settling((2.0, 2.0)).apply(load((1.0, 3), (10.0, 3), (20.0, 4)), ONE_SCALE, Random(1))
    assert [(seen.t, seen.n) for seen in told if isinstance(seen, Count)] == [(3.0, 3), (12.0, 3), (22.0, 4)]


def test_other_scales_do_not_settle_late() -> None:
    two = Place(RigPlan(("bed 1", "bed 2")), 0.0, 60.0)
    heard = [Count(float(t), f"bed {1 + t % 2}", t, float(t)) for t in range(1, 50, 3)]
    told, _ = Settling((1.0, 1.0)).apply(heard, two, Random(1))
    late = {seen.station for seen in told if seen not in heard}
    assert len(late) == 1
    assert [seen for seen in told if seen.station not in late] == [
        seen for seen in heard if seen.station not in late
    ]


def test_a_flickering_tag_is_lost_and_found_while_it_lies_there() -> None:
    read, empty = TagRead(1.0, "pad", "M1"), TagRead(4.0, "pad", None)
    told, happened = Flickering(1.0).apply([read, empty], ONE_SCALE, Random(1))
    assert happened == 1
    assert (told[0], told[-1]) == (read, empty)
    assert [seen.card for seen in told] == ["M1", None] * (len(told) // 2)
    assert len(told) > 3
    assert Flickering(0.0).apply([read, empty], ONE_SCALE, Random(1)) == ([read, empty], 0)


def test_a_flickering_tag_that_nobody_lifts_comes_to_rest() -> None:
    told, _ = Flickering(1.0).apply([TagRead(1.0, "pad", "M1")], ONE_SCALE, Random(1))
    assert told[-1].t < 12.0
    assert told[-1] == TagRead(told[-1].t, "pad", "M1")
