"""The belief in what each mattress is: equal to plain counting on few, to a second way on whole tables."""

from collections.abc import Collection, Sequence
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.games.sleepless_princess.hints.face_posterior import Likelihood, TurnedUp, posterior
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge
from companion.games.sleepless_princess.rules.actions import Discard, Look, Move, Play, Take, Touch
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, UNKNOWN, UNKNOWN_FACE
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import VARIANTS
from tests.support.hinting import TABLES

CLOSE = 1e-12
EXAMPLES = settings(max_examples=60)

Rows = Sequence[Sequence[float]]


def by_counting(copies: Sequence[int], rows: Rows, turned_up: Sequence[TurnedUp] = ()) -> NDArray[Any]:
    """Every different order of the faces, weighed and summed; ZeroDivisionError if none is possible."""
    faces = [face for face, count in enumerate(copies) for _ in range(count)]
    held = np.zeros((len(rows), len(copies)))
    for order in set(permutations(faces)):
        if any(beside(order, seen.slots, len(copies)) != seen for seen in turned_up):
            continue
        held[range(len(rows)), order] += np.prod([rows[slot][face] for slot, face in enumerate(order)])
    total = held[0].sum() if len(rows) else 1.0
    if not total:
        raise ZeroDivisionError
    return held / total


def beside(order: Sequence[int], slots: Collection[int], faces: int) -> TurnedUp:
    """What is seen when these mattresses of a deal are turned up together."""
    copies = [0] * faces
    for slot in slots:
        copies[order[slot]] += 1
    return TurnedUp(frozenset(slots), tuple(copies))


def by_transfer(copies: Sequence[int], rows: Rows) -> NDArray[Any]:
    """Mattress by mattress: the weight of having used so many of each face before it, and of using the rest."""
    shape = tuple(count + 1 for count in copies)
    before = [np.zeros(shape)]
    before[0][(0,) * len(copies)] = 1.0
    for row in rows:
        before.append(sum(_used(before[-1], face) * weight for face, weight in enumerate(row)))
    after = np.zeros(shape)
    after[tuple(copies)] = 1.0
    total = before[-1][tuple(copies)]
    held = np.zeros((len(rows), len(copies)))
    for slot in reversed(range(len(rows))):
        for face, weight in enumerate(rows[slot]):
            held[slot, face] = weight * (_used(before[slot], face) * after).sum() / total
        after = sum(_unused(after, face) * weight for face, weight in enumerate(rows[slot]))
    return held


def _used(weights: NDArray[Any], face: int) -> NDArray[Any]:
    """The weights after one more of a face was used."""
    moved = np.roll(weights, 1, axis=face)
    moved[(slice(None),) * face + (0,)] = 0.0
    return moved


def _unused(weights: NDArray[Any], face: int) -> NDArray[Any]:
    moved = np.roll(weights, -1, axis=face)
    moved[(slice(None),) * face + (-1,)] = 0.0
    return moved


@st.composite
def few(draw: st.DrawFn) -> tuple[list[int], list[Likelihood]]:
    """Up to six mattresses: known ones, misread ones, ones of which anything was heard, and untouched ones."""
    copies = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(lambda c: 1 <= sum(c) <= 6))
    size = len(copies)
    hard = st.integers(0, size - 1).map(lambda face: tuple(float(face == other) for other in range(size)))
    weight = st.sampled_from([0.0, 0.006, 0.03, 0.25, 0.97, 1.0]) | st.floats(1e-6, 1.0)
    soft = st.tuples(*[weight] * size)
    flat = st.just((1.0,) * size)
    return copies, draw(st.lists(hard | soft | flat, min_size=sum(copies), max_size=sum(copies)))


@EXAMPLES
@given(few())
def test_few_mattresses_are_counted_like_every_order_of_them(case: tuple[list[int], list[Likelihood]]) -> None:
    copies, rows = case
    try:
        wanted = by_counting(copies, rows)
    except ZeroDivisionError:
        with pytest.raises(ValueError, match="no dealing"):
            posterior(copies, rows)
        return
    assert np.allclose(posterior(copies, rows).chances, wanted, rtol=0, atol=CLOSE)
    assert np.allclose(by_transfer(copies, rows), wanted, rtol=0, atol=CLOSE)


@EXAMPLES
@given(few(), st.data())
def test_mattresses_turned_up_together_are_counted_whichever_is_which(
    case: tuple[list[int], list[Likelihood]], data: st.DataObject
) -> None:
    """Any number of such sights of one deal, overlapping or not, beside all other evidence."""
    copies, rows = case
    deal = data.draw(st.permutations([face for face, count in enumerate(copies) for _ in range(count)]))
    sets = data.draw(st.lists(st.sets(st.integers(0, len(rows) - 1), min_size=1), min_size=1, max_size=3))
    turned_up = [beside(deal, slots, len(copies)) for slots in sets]
    try:
        wanted = by_counting(copies, rows, turned_up)
    except ZeroDivisionError:
        with pytest.raises(ValueError, match="no dealing"):
            posterior(copies, rows, turned_up)
        return
    assert np.allclose(posterior(copies, rows, turned_up).chances, wanted, rtol=0, atol=CLOSE)


Told = list[tuple[str, int, str]]
"""(felt or shown, mattress, word)"""


@st.composite
def tables(draw: st.DrawFn) -> tuple[TeamKnowledge, Told]:
    """Whole tables, and what people said of a true deal: true words, wrong ones, and faces shown."""
    variant, players = draw(st.sampled_from(TABLES))
    misread = draw(st.sampled_from([0.0, 0.03, 0.1]))
    dealt = RULES.setup(variant, players, draw(st.randoms(use_true_random=False)))
    known = TeamKnowledge(RULES.view(dealt, 0), misread)
    words = [str(kind) for kind in dealt.princesses] + [SMOOTH] * dealt.game.variant.smooth
    told: Told = []
    for slot in draw(st.lists(st.integers(0, len(dealt.faces) - 1), max_size=12)):
        princess, smooth = divmod(dealt.faces[slot], 2)
        true = SMOOTH if smooth else str(princess)
        match draw(st.sampled_from(["felt", "felt", "misfelt", "shown"])):
            case "shown":
                told.append(("shown", slot, f"{princess}{'s' if smooth else 't'}"))
            case "misfelt" if misread:
                told.append(("felt", slot, draw(st.sampled_from(words))))
            case _:
                told.append(("felt", slot, true))
    return known, told


def likelihoods(known: TeamKnowledge, told: Told) -> Rows:
    """What was told as likelihoods, by the words of the docstrings alone."""
    rule = VARIANTS[known.variant]
    faces = [f"{kind}{letter}" for kind in known.princesses for letter in "ts"]
    classes = len(known.princesses) + rule.smooth
    rows = np.ones((rule.beds * rule.mattresses_per_bed, len(faces)))
    for how, slot, word in told:
        for at, face in enumerate(faces):
            if how == "shown":
                rows[slot, at] = face == word
            elif word == (SMOOTH if face[1] == "s" else face[0]):
                rows[slot, at] *= 1 - known.misread
            else:
                rows[slot, at] *= known.misread / (classes - 1)
    for how, slot, word in told:
        if how == "shown":
            rows[slot] = [face == word for face in faces]
    return [list(map(float, row)) for row in rows]


@EXAMPLES
@given(tables())
def test_whole_tables_agree_with_a_second_exact_way(case: tuple[TeamKnowledge, Told]) -> None:
    known, told = case
    for how, slot, word in told:
        (known.feel if how == "felt" else known.show)(slot, word)
    wanted = by_transfer(known.copies, likelihoods(known, told))
    assert np.allclose(known.chances(), wanted, rtol=0, atol=CLOSE)
    assert np.allclose(np.sum(known.chances(), axis=1), 1, rtol=0, atol=CLOSE)
    # Each face lies somewhere, each as often as it exists.
    assert np.allclose(np.sum(known.chances(), axis=0), known.copies, rtol=0, atol=1e-9)


@pytest.mark.parametrize("variant", ["basic", "5+"])
def test_before_anything_is_known_every_face_is_as_likely_as_it_is_common(variant: str) -> None:
    princesses = list(range(VARIANTS[variant].beds))
    known = TeamKnowledge(RULES.view(RULES.empty_table(variant, 3), 0) | {"princesses": princesses})
    total = sum(known.copies)
    assert np.allclose(known.chances(), [[count / total for count in known.copies]] * total, rtol=0, atol=CLOSE)


def table(misread: float = 0.0) -> TeamKnowledge:
    """Princesses 0 to 4 over three mattresses each."""
    view = RULES.view(RULES.empty_table("basic", 3), 0) | {"princesses": [0, 1, 2, 3, 4]}
    return TeamKnowledge(view, misread)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=20), st.integers(0, 14))
@EXAMPLES
def test_moves_carry_what_is_believed_of_a_mattress_along(moves: list[tuple[int, int]], slot: int) -> None:
    """Evidence attaches to the mattress: wherever it goes, felt or unfelt, nothing is learned or forgotten."""
    known = table(0.03)
    known.feel(slot, "2")
    before = known.chances()
    stacks = [[3 * bed, 3 * bed + 1, 3 * bed + 2] for bed in range(5)]
    for source, target in moves:
        if stacks[source]:
            known.observe(0, Move(source, target), ())
            stacks[target].append(stacks[source].pop(0))
    assert known.beds == stacks
    assert known.chances() == before
    if stacks[0]:
        bottom = stacks[0][0]
        known.observe(0, Look(0), ("4s",))
        assert known.chances()[bottom][9] == 1.0


def test_a_touch_nobody_tells_of_teaches_nothing() -> None:
    known = table()
    before = known.chances()
    known.observe(0, Touch(0), ())
    known.observe(0, Touch(0), (str(UNKNOWN_FACE),))
    known.observe(0, Touch(0), ("?",))
    known.observe(0, Look(0), ("?",))
    known.observe(0, Touch(0), ("9",))
    assert known.chances() == before


def test_contradicting_fingers_do_not_stop_the_game() -> None:
    """Fingers that are believed not to err can still contradict what was seen: then eyes are believed."""
    known = table()
    known.show(0, "2t")
    for slot in (1, 2, 3):
        known.feel(slot, "2")
    assert known.chances()[0][4] == 1.0
    assert known.chances()[1][4] == pytest.approx(1 / 14)


def test_a_misread_is_outweighed_by_the_rest() -> None:
    known = table(0.03)
    for slot in (0, 1, 2):
        known.feel(slot, "2")
    homes = [known.homes(slot)[2] for slot in (0, 1, 2)]
    assert homes[0] == homes[1] == homes[2]
    assert homes[0] < 0.7  # there are only two that feel so: one of the three was misread
    known.feel(0, "2")
    assert known.homes(0)[2] > 0.95 > known.homes(1)[2]


def test_a_card_nobody_read_is_no_blanket() -> None:
    """Of two cards discarded one was covered: it may be any, also one that all saw go to the hand."""
    state = RULES.setup("basic", 2, Random(1))
    known = TeamKnowledge(RULES.view(state, 0))
    kind = next(kind for kind in state.row if kind != BLANKET)
    known.observe(0, Take(kind), ())
    unseen = list(known.unseen)
    known.observe(0, Discard((UNKNOWN,)), ())
    assert known.unseen == unseen
    assert known.held[0] == ()


def test_beneath_a_blanket_lies_none_of_the_cards_that_are_too_low() -> None:
    known = TeamKnowledge(RULES.view(RULES.setup("basic", 2, Random(1)), 0))
    known.held[0] = (2, 7, BLANKET, BLANKET)
    known.observe(0, Play(((UNKNOWN,), (3,), (3,)), UNKNOWN), ())
    assert known.held[0] == (2, BLANKET)
