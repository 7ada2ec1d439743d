"""The setup step for cards without stickers: rows on the mat or in a photograph, and what is said of them."""

import cv2
import numpy as np
import pytest

from calibration.virtual_rig.virtual_setup import VirtualSetup
from calibration.wizard.setup_bench import SetupBench
from calibration.wizard.setup_requests import (
    ClearTable,
    ConfirmOrder,
    LayInOrder,
    LayLeftOut,
    LeaveOut,
    Request,
)
from calibration.wizard.setup_run import ART, CARDS, SetupRun
from calibration.wizard.step_result import Check, Verdict, result_of
from calibration.wizard.steps import art_step
from calibration.wizard.steps.art_step import asked_for, called, enrol_art, rounds_of
from calibration.wizard.steps.pairing_step import Pairing, copy_shown
from companion.core.errors import BadInputError
from companion.games.appearance import PhysicalCard
from companion.games.registry import load_game, load_virtual
from companion.virtual.card_art import Art
from tests.support.few_cards import FewCards
from vision.art.art_book import book_bytes, book_of
from vision.art.row_enrolment import cards_laid, enrol_rows

GAME, VARIANT = "sleeping-queens", "basic"
SEED = 5
"""SEED: a deck without frames, on a mat of much the same colours."""
KINDS = ("3", "6", "9")


def a_bench(*, camera: bool = True) -> SetupBench:
    table = VirtualSetup(GAME, VARIANT, seed=SEED, has_board=False, has_camera=camera, art=Art.of(SEED))
    return SetupBench(FewCards(GAME, KINDS), VARIANT, table, table, table.clock, tick_s=1 / 30)


class Nobody:
    """Clears the table, and has no card to show."""

    def ask(self, request: Request) -> None:
        self.shows = not isinstance(request, LayInOrder)

    def answered(self) -> bool:
        return self.shows

    def typed(self) -> str:
        return ""


@pytest.mark.long
def test_cards_on_the_mat_are_enrolled_in_the_order_that_was_asked_for() -> None:
    bench = a_bench()
    person = bench.operator
    bench.operator = Nobody()
    nothing = enrol_art(bench)
    assert (nothing.verdict, nothing.said) == (Verdict.NOT_TESTED, "no card was shown")
    bench.operator = person
    asked: list[Request] = []
    tell = bench.operator.ask

    def ask(request: Request) -> None:
        asked.append(request)
        tell(request)

    bench.operator.ask = ask
    result = enrol_art(bench)
    assert (result.verdict, result.number) == (Verdict.GOOD, len(KINDS))
    told = [kind for one in asked if isinstance(one, ConfirmOrder) for row in one.rows for kind in row]
    assert told == list(KINDS)
    book = book_of(bench.profile.art, "here")
    assert book.names == KINDS
    looks = Art.of(SEED).looks(load_virtual(GAME).looks, bench.cards)
    sides = [min(looks.size_of(card.code, "up")) for card in bench.cards[:1]]
    assert [view.short_mm for view in book.views] == pytest.approx(sides * len(KINDS), abs=1.0)


def test_a_photograph_is_enrolled_without_a_camera_and_pairs_that_look_alike_are_said() -> None:
    bench = a_bench(camera=False)
    looks = Art.of(SEED).looks(load_virtual(GAME).looks, bench.cards)
    faces = dict(looks.faces)
    faces["9"] = faces["6"]
    looks.draw_instead(faces)
    del looks.faces
    result = enrol_art(bench, [looks.in_rows(KINDS, 3)], 57.0)
    assert result.faults == ("alike pictures",)
    assert "these look alike from above: 6 and 9" in result.said
    with pytest.raises(BadInputError, match="no card lies apart"):
        enrol_art(bench, [np.full((600, 800, 3), 90, np.uint8)])


def test_what_is_laid_is_found_beside_shadows_and_under_another_exposure() -> None:
    chance = np.random.default_rng(1)
    empty = chance.integers(60, 110, (300, 500, 3)).astype(np.uint8)
    empty = np.asarray(cv2.GaussianBlur(empty, (0, 0), 3), np.uint8)
    laid = empty.copy()
    places = [(60, 60), (260, 70)]
    for x, y in places:
        laid[y + 4 : y + 144, x + 4 : x + 94] = (0.6 * empty[y + 4 : y + 144, x + 4 : x + 94]).astype(np.uint8)
        laid[y : y + 140, x : x + 90] = chance.integers(0, 255, (140, 90, 3))
    found = cards_laid(np.asarray(np.clip(laid * 1.05, 0, 255), np.uint8), empty)
    corners = np.array([outline.min(axis=0) for outline in found])
    sizes = np.array([np.ptp(outline, axis=0) for outline in found])
    assert corners == pytest.approx(np.array(places), abs=2)
    assert sizes == pytest.approx(np.array([(90, 140)] * 2), abs=3)


def test_a_known_outline_is_not_made_larger_by_what_is_printed_beside_the_card() -> None:
    picture = np.full((300, 260, 3), 60, np.uint8)
    picture[60:240, 80:200] = np.random.default_rng(3).integers(120, 200, (180, 120, 3))
    cv2.rectangle(picture, (79, 49), (200, 240), (230, 230, 230), 2)
    outline = np.array([(80, 60), (200, 60), (200, 240), (80, 240)], np.float32)
    (view,) = enrol_rows([picture], ["1"], 60.0, [[outline]]).book.views
    assert view.aspect == pytest.approx(120 / 180, abs=0.005)
    assert enrol_rows([picture], ["1"]).book.views[0].aspect < 0.65


class Slips:
    """Lays nothing when cards are asked for, and gives the `answers` to each kind of request."""

    def __init__(self, answers: dict[type[Request], list[bool]]) -> None:
        self.answers, self.asked = answers, list[Request]()

    def ask(self, request: Request) -> None:
        self.asked.append(request)
        self.given = self.answers.get(type(request), [True]).pop(0)

    def answered(self) -> bool:
        return self.given

    def typed(self) -> str:
        return ""


def test_cards_are_left_out_only_by_a_second_key_which_names_them() -> None:
    bench = a_bench()
    person = bench.operator = Slips(
        {LayInOrder: [False, False], LeaveOut: [False, True], ClearTable: [True] * 4}
    )
    assert enrol_art(bench).said == "no card was shown"
    assert [type(one) for one in person.asked].count(LayInOrder) == 2, "the first no was taken back"
    (told, _) = [one.sentence for one in person.asked if isinstance(one, LeaveOut)]
    assert told == "Leave out 3 kinds of cards? The camera will not know them: 3, 6, 9."


def test_fewer_cards_are_asked_for_when_all_lie_there_but_some_are_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = a_bench()
    outlines = [np.zeros((4, 2), np.float32)] * 2
    seen = art_step._Rows(np.zeros((8, 8, 3), np.uint8), outlines, 60.0)
    monkeypatch.setattr(art_step, "_live_rows", lambda *_: seen)
    person = bench.operator = Slips(
        {ClearTable: [True] * 4, LayInOrder: [True, False, False], ConfirmOrder: [False]}
    )
    enrol_art(bench)
    asked = [one.kinds for one in person.asked if isinstance(one, LayInOrder)]
    assert asked[:2] == [KINDS, KINDS[:2]]


def test_cards_that_were_left_out_are_asked_for_once_more_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = a_bench()
    person = bench.operator = Slips({LayInOrder: [False], LayLeftOut: [True, False], ClearTable: [True] * 4})
    laid = list[list[str]]()

    def enrolled(_bench: SetupBench, kinds: list[str], *_: object) -> object:
        laid.append(list(kinds))
        return art_step.Shown(len(kinds) - (len(laid) == 1), [], ["9"] if len(laid) == 1 else [])

    monkeypatch.setattr(art_step, "_enrolled", enrolled)
    enrol_art(bench)
    assert laid == [["3", "6", "9"], ["9"]]
    assert [one.sentence for one in person.asked if isinstance(one, LayLeftOut)] == [
        "Left out: 9. Show these cards after all?"
    ]


def test_cards_whose_photographs_are_refused_are_asked_for_once_more_and_named_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(art_step, "REFUSED_MOST", 1)
    bench = a_bench()
    looks = Art.of(SEED).looks(load_virtual(GAME).looks, bench.cards)
    known = enrol_rows([looks.in_rows(KINDS[:1], 3)], KINDS[:1], 57.0).book
    bench.update(art=book_bytes(known))
    person = bench.operator = Slips({LayInOrder: [True], LayLeftOut: [False], ClearTable: [True] * 3})
    result = enrol_art(bench)
    assert [one.sentence for one in person.asked if isinstance(one, LayLeftOut)] == [
        "Left out: 6, 9. Show these cards after all?"
    ]
    assert result.said == "1 of 3 kinds are known by their pictures; not: 6, 9"
    assert bench.live.said == result.said, "it stands beside the last request, as a guided walk ends here"


def test_no_more_names_are_asked_for_than_are_read_at_one_look() -> None:
    names = {str(n): f"a card with the long name {n}" for n in range(30)}
    asked = asked_for(list(names), names)
    assert asked == tuple(names)[: len(asked)]
    assert 4 <= len(asked) <= 8
    assert (called("7", "helper 7"), called("KI", "king")) == ("7", "king")
    assert "king \u00b7 jester" in LayInOrder(("KI", "JE"), ("king", "jester")).sentence


def test_sides_of_one_thing_are_not_laid_out_together() -> None:
    cards = [
        PhysicalCard("A1", "1", "one"),
        PhysicalCard("PA", "PA", "Bats", marker=1),
        PhysicalCard("PD", "PD", "Bats, asleep", marker=2),
        PhysicalCard("A2", "1", "one"),
        PhysicalCard("M", "m", "mattress", texture="m"),
    ]
    assert rounds_of(cards) == [["1"], ["m"], ["PA"], ["PD"]]


def test_small_things_are_not_laid_out_beside_cards() -> None:
    cards, *others = rounds_of(load_game("sleeping-queens-2").cards("standard"))
    small = {kind for kinds in others for kind in kinds}
    assert (cards[0], cards[-1]) == ("1", "RC10")
    assert {"knight six", "die dragon"} <= small


def test_the_step_is_left_out_where_stickers_were_read() -> None:
    run = SetupRun(a_bench(camera=False))
    run.note(result_of(CARDS, [Check("deck", Verdict.GOOD, 79, "cards")]))
    assert [(one.verdict, one.said) for one in run.run([ART])] == [
        (Verdict.NOT_TESTED, "the cards are known by their stickers")
    ]


def test_a_tag_stays_with_the_copy_that_had_it() -> None:
    pairing = Pairing(copies={"A": ("A", "B", "C")})
    before = {"tag of A": "A", "tag of B": "B"}
    assert copy_shown(pairing, "A", "tag of B", before) == "B"
    assert copy_shown(pairing, "A", "new tag", before) == "C"
    pairing.tags = {"tag of B": "B", "tag of C": "C"}
    assert copy_shown(pairing, "A", "new tag", before) == "A"
