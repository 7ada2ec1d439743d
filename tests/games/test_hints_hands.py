"""What hands are worth to the coach: tables beside their definition, and choices that are clear."""

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.sleepless_princess.hints.bed_plan import BedPlan
from companion.games.sleepless_princess.hints.hand_tables import all_hands, best_taking, filled, without
from companion.games.sleepless_princess.hints.option_values import PARTS, TURNS, View, prospects, worth_of_turns
from companion.games.sleepless_princess.hints.race_value_iteration import (
    CARDS_A_TURN,
    MOST_WORK,
    NO_PLAY,
    PLAYS,
    PRECISION,
    TOUCH,
    TURN_COST,
    cards_needed,
)
from companion.games.sleepless_princess.hints.ranked_options import options
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.rules.actions import Action, Claim, Discard, Play, Take
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, face_text
from companion.games.sleepless_princess.rules.cardsets import Cards
from companion.games.sleepless_princess.rules.plays import play_table, plays_for
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import Phase, State

KINDS = (*range(1, 11), BLANKET)
HANDS = all_hands("basic")
ODDS = HANDS.copies / HANDS.copies.sum()
FULL = [cards for cards in HANDS.places if len(cards) == 5]
THREE = [cards for cards in HANDS.places if len(cards) == 3]


def needed(hand: Cards, work: int, players: int) -> float:
    """The cards a team draws from this turn on, by definition, later turns as the table has them."""
    table = cards_needed(players)

    def after(done: int, kept: Cards) -> float:
        if done >= work:
            return 0.0
        ends = filled(table.full[work - done], HANDS.growth, ODDS)
        place = HANDS.places[kept]
        return float(
            sum(p * max(ends[place], ends[grown]) for p, grown in zip(ODDS, HANDS.growth[place], strict=True))
        )

    found = []
    for play in plays_for("basic", hand):
        use = play_table("basic")[play]
        kept = without(hand, use.cards)
        mixed = TOUCH * after(use.looks + 1, kept) + (1 - TOUCH) * after(use.looks, kept)
        found.append(mixed - len(use.cards))
    discards = {*((one,) for one in hand), *combinations(hand, 2)}
    found += [after(0, without(hand, cards)) - len(cards) for cards in discards]
    return max(found)


@pytest.mark.parametrize("players", [2, 4])
@settings(max_examples=20)
@given(hand=st.sampled_from(FULL), work=st.integers(1, 5))
def test_the_table_of_cards_needed_is_what_it_says(players: int, hand: Cards, work: int) -> None:
    """At the end of a turn: the others' turns, then this hand's own, by definition."""
    chances = np.ones(1)
    for _ in range(players - 1):
        one = np.zeros(4)
        one[0] = NO_PLAY
        for looks, share in enumerate(PLAYS):
            one[looks : looks + 2] += share * np.array([1 - TOUCH, TOUCH])
        chances = np.convolve(chances, one)
    own = sum(share * needed(hand, work - done, players) for done, share in enumerate(chances) if done < work)
    waiting = CARDS_A_TURN * (players - 1) + TURN_COST * players
    place = HANDS.places[hand] - len(HANDS.growth)
    assert cards_needed(players).full[work][place] == pytest.approx(own - waiting, abs=(work + 1) * PRECISION)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_with_more_checks_left_more_cards_are_needed(players: int) -> None:
    table = cards_needed(players)
    assert len(table.full) == MOST_WORK + 1
    assert not table.full[0].any()
    for fewer, more in zip(table.full[:-1], table.full[1:], strict=True):
        assert (more < fewer + PRECISION).all()


def test_a_turn_more_to_come_never_lessens_what_a_hand_brings() -> None:
    table = worth_of_turns("5+")
    assert len(table.full) == TURNS * PARTS + 1
    pair = table.hands.places[1, 1, 2, 3, 4] - len(table.hands.growth)
    three = table.hands.places[1, 1, 1, 2, 3] - len(table.hands.growth)
    for part in table.full[PARTS:]:
        assert part[three] > part[pair]


def test_a_hand_that_cannot_be_filled_up_is_worth_what_the_end_is() -> None:
    table = cards_needed(2)
    drawn = table.drawn(3, list(ODDS))
    kept = (4, 4)
    assert best_taking(drawn, HANDS, kept, (1, 9), (0, 5), 0.0, -7.0) == -7.0
    assert best_taking(drawn, HANDS, kept, (1, 9), (1, 1), 0.0, -7.0) == -7.0
    three = best_taking(drawn, HANDS, kept, (1, 4, 9), (0, 5), 0.0, -7.0)
    assert three == drawn[HANDS.places[1, 4, 4, 4, 9]]


def position(
    hand: Cards, row: Cards, unknown: int, phase: Phase = Phase.PLAY, last: int = -1, deck: int = 54
) -> tuple[TeamKnowledge, View]:
    """Somebody holds a hand, and nobody knows the topmost mattresses of so many beds."""
    state: State = RULES.setup("basic", 2, Random(3))
    faces = sorted(state.faces, key=lambda face: state.princesses.index(face >> 1))
    hands = (hand, state.hands[1])
    state = state._replace(
        hands=hands, row=row, deck=state.deck[:deck], faces=tuple(faces), phase=phase, last=last
    )
    known = TeamKnowledge(RULES.view(state, 0), beds=state.beds)
    hidden = {slots[2] for slots in state.beds[:unknown]}
    for slot, face in enumerate(faces):
        if slot not in hidden:
            known.show(slot, face_text(face))
    return known, RULES.view(state, 0)


def best(known: TeamKnowledge, view: View) -> Action:
    """What the coach would do with the cards."""
    return next(option.action for option in options(known, view) if not isinstance(option.action, Claim))


@pytest.mark.parametrize("hand", [(2, 2, 2, 9, 10), (1, 1, 1, 9, 10)])
def test_with_little_left_a_play_at_once_is_better_than_one_to_wait_for(hand: Cards) -> None:
    row = (7, 7, 9, 11, 11)
    assert isinstance(best(*position(hand, row, 1)), Play)
    assert isinstance(best(*position(hand, row, 4)), Discard)


@pytest.mark.parametrize("hand", [(3, 3, 3, 8, 9), (2, 2, 2, 9, 10)])
def test_in_the_last_turn_nobody_waits(hand: Cards) -> None:
    assert isinstance(best(*position(hand, (7, 7, 9, 11, 11), 4, last=1)), Play)


def test_an_open_card_that_makes_a_play_is_taken() -> None:
    assert best(*position((2, 5, 5, 9), (1, 5), 1, Phase.DRAW)) == Take(5)


def test_a_hand_that_stays_short_is_worse_than_any_other() -> None:
    known, view = position((5, 5, 9, 10, 10), (1, 2), 2, deck=0)
    known.witches = 0
    ahead = prospects(BedPlan(known, view["fates"]), view)
    assert ahead.drawing((5, 5), (1, 2), 5) < min(ahead.drawing(kept, (1, 2), 5) for kept in THREE)


def test_in_a_silent_game_hands_are_kept_for_what_they_bring() -> None:
    """The checks of others take nothing off one's own: more of them are needed than the cards will bring."""
    known, view = position((3, 3, 3, 8, 9), (7, 7, 9, 11, 11), 1)
    assert isinstance(best(known, view), Play)
    assert isinstance(best(known, {**view, "silent": True}), Discard)
