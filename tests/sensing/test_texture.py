"""Raised pictures pressed on the pressure matrix: told apart however they lie, or not told at all."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner

from companion.commands.press import press as press_command
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError, SourceError
from companion.fusion.parameters.reading_costs import COSTS
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import Observation, Texture
from companion.sensing.parameters import MATRIX
from companion.sensing.press_enrolment import gather
from companion.sensing.press_recogniser import TextureBook, read_book
from companion.sensing.press_segmentation import Presses, conductances, readings, rows_float, texture_of
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.games.sleepless_princess.raised_pictures import PICTURES, RAISED
from companion.virtual.rig.board_readings import PAD, Rig, enrol
from companion.virtual.rig.matrix_presses import Matrix
from companion.virtual.rig.noise_profiles import profile
from firmware.host.link import Link
from firmware.host.messages import Disconnected, TextureFrame
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from tests.benchmarks.press_bench import SMOOTH, UNTOLD, in_short, told_of
from tests.support.told_link import ToldLink

BOOK = TextureBook(RAISED.enrolled(1))
EMPTY = bytes(256)


def press(picture: int | None, seed: int, noise: str = "clean", now: float = 0.0) -> tuple[bytes, bytes]:
    pressed = None if picture is None else PICTURES[picture]
    return Matrix(RAISED, profile(noise), Random(seed)).picture((pressed,), now)


def half_press(picture: int, seed: int) -> tuple[bytes, bytes]:
    noise = replace(profile("home"), texture_half=1.0)
    return Matrix(RAISED, noise, Random(seed)).picture((PICTURES[picture],), 300.0)


@pytest.mark.parametrize("picture", range(len(PICTURES)))
def test_a_raised_picture_is_known_in_every_turn_on_any_matrix(picture: int) -> None:
    felt = [BOOK.of(*press(picture, seed)) for seed in range(20)]
    sure = [one for one in felt if one is not None and one.p >= COSTS.sure_texture]
    assert {one.cls for one in sure} == {f"{picture}t"}
    assert len(sure) >= 18


def test_a_card_over_the_edge_of_the_matrix_is_felt_there_and_not_beyond() -> None:
    pressed = Matrix(RAISED, replace(profile("clean"), texture_sigma=0.0), Random(4)).press((PICTURES[4],), 0.0)
    columns = pressed.sum(axis=0)
    middle = float((columns * np.arange(16)).sum() / columns.sum())
    assert 8.2 < middle < 9.5  # the matrix's middle is 7.5; the picture's 4.5 mm to its right, 8.6
    assert columns[15] > 0.25 * columns.max()
    assert columns[0] < 0.05 * columns.max()


def test_a_smooth_card_is_smooth_and_half_of_one_is_nothing() -> None:
    felt = [BOOK.of(*press(None, seed)) for seed in range(20)]
    assert [one.cls if one else "" for one in felt] == [None] * 20
    whole = Matrix(RAISED, profile("clean"), Random(1)).press((None,), 0.0)
    whole[:, 7:] = 0.0
    part = BOOK.of(bytes((whole * 255).astype("u1").ravel()))
    assert part is None or part.p < MATRIX.least_p


def test_a_smooth_card_that_ends_at_the_edge_of_the_matrix_is_smooth() -> None:
    """The outermost rows are beside the card, which reaches beyond the columns."""
    shares = 0.4 * np.random.default_rng(1).normal(1, 0.05, (16, 16))
    shares[[0, -1]] *= 0.02
    shares[[1, -2]] *= 0.4
    felt = BOOK.of(bytes((shares * 255).astype("u1").ravel()))
    assert felt is not None
    assert felt.cls is None
    assert felt.p > 0.99


@pytest.mark.parametrize("seed", [0, 33, 42, 53])
def test_two_cards_at_once_are_not_taken_for_a_third(seed: int) -> None:
    pair = seed % 10, (seed + 1 + seed // 10) % 10
    felt = BOOK.of(*Matrix(RAISED, profile("home"), Random(seed)).picture([PICTURES[one] for one in pair], 0.0))
    assert felt is None or felt.p < COSTS.sure_texture or felt.cls in [f"{one}t" for one in pair]


def test_what_is_not_pressed_well_is_rather_not_told_than_taken_for_another() -> None:
    told: Counter[str] = Counter()
    for seed in range(90):
        picture = seed % len(PICTURES)
        felt = BOOK.of(*press(picture, seed, "hostile", 10.0 * seed))
        sure = felt is not None and felt.p >= COSTS.sure_texture
        told["untold" if not sure else "right" if felt and felt.cls == f"{picture}t" else "wrong"] += 1
    # Half of them lie a centimetre off their place, and half are pressed in part.
    assert told["wrong"] <= 2
    assert 78 < told["right"] < 90


def test_probabilities_are_what_they_say() -> None:
    found, sure = [], []
    for seed in range(140):
        picture = seed % len(PICTURES)
        felt = BOOK.of(*half_press(picture, 1000 + seed))
        if felt is not None and felt.cls is not None:
            (sure if felt.p >= COSTS.sure_texture else found).append((felt.p, felt.cls == f"{picture}t"))
    assert len(found) > 10
    assert len(sure) > 112  # a part of a card is enough
    assert sum(not right for _, right in sure) <= 1
    assert sum(p for p, _ in found) == pytest.approx(sum(right for _, right in found), rel=0.35)


def test_an_empty_matrix_a_weak_press_and_a_finger_tell_nothing() -> None:
    assert BOOK.of(EMPTY) is None
    picture, _ = press(4, 1)
    assert BOOK.of(bytes(value // 40 for value in picture)) is None
    finger = bytearray(256)
    for cell in (100, 101, 116, 117):
        finger[cell] = 200
    assert BOOK.of(bytes(finger)) is None


def test_what_the_empty_matrix_feels_is_taken_off() -> None:
    picture, _ = press(4, 2)
    felt = BOOK.of(bytes(min(255, value + 20) for value in picture), bytes([20] * 256))
    assert felt is not None
    assert felt.cls == "4t"


@pytest.mark.parametrize("presses", [{"3t": ["zz"]}, {"3t": ["00" * 256]}, {"3t": ["ff" * 100]}])
def test_presses_that_are_none_are_refused(presses: dict[str, list[str]]) -> None:
    with pytest.raises(BadInputError, match="textures"):
        read_book(presses)
    assert read_book({}) is None


def as_read(picture: bytes, crept: int = 0) -> bytes:
    """The board's frame of a picture of conductances, on a matrix that reads `crept` (of 255) at rest."""
    shares = np.frombuffer(picture, np.uint8).reshape(16, 16) / 255
    return bytes(np.round(readings(shares + crept / 255)).astype(np.uint8).ravel())


def frames(*pictures: bytes, begin: float = 1.0, every: float = 0.066, crept: int = 0) -> list[TextureFrame]:
    return [TextureFrame(begin + every * n, PAD, as_read(picture, crept)) for n, picture in enumerate(pictures)]


def folded(*those: TextureFrame) -> list[Texture]:
    presses = Presses()
    ended = [press for frame in those if (press := presses.hear(frame)) is not None]
    return [one for press in ended if (one := texture_of(press, BOOK)) is not None]


@pytest.mark.parametrize("crept", [0, 20])
def test_a_press_is_told_once_when_it_is_let_go(crept: int) -> None:
    """Also on a matrix that never reads zero, of which nothing is known at the start."""
    pressed, _ = press(2, 3)
    faint = bytes(value // 3 for value in pressed)
    (told,) = folded(*frames(faint, *[pressed] * 5, EMPTY, EMPTY, EMPTY, crept=crept))
    assert (told.station, told.cls) == (PAD, "2t")
    assert told.t == pytest.approx(1.0 + 5 * 0.066, abs=1e-3)
    assert told.p > COSTS.sure_texture


@pytest.mark.parametrize("picture", [None, 2])
def test_a_weak_press_on_a_sheet_that_conducts_little_is_told(picture: int | None) -> None:
    shares = np.frombuffer(press(picture, 1)[0], np.uint8).reshape(16, 16) / 255
    weak = next(
        read for read in (readings(shares * part) for part in np.arange(0.2, 0, -0.002)) if read.max() < 17.5
    )
    pressed = bytes(np.round(weak).astype(np.uint8).ravel())
    said = [TextureFrame(1.0 + 0.066 * n, PAD, one) for n, one in enumerate([pressed] * 5 + [EMPTY] * 3)]
    (told,) = folded(*said)
    assert told.cls == (None if picture is None else f"{picture}t")
    assert told.p > COSTS.sure_texture


def test_a_press_whose_end_nobody_saw_tells_nothing() -> None:
    picture, _ = press(2, 3)
    began = frames(*[picture] * 5)
    assert folded(*began, TextureFrame(began[-1].t + MATRIX.gap_s + 1, PAD, EMPTY)) == []
    presses = Presses()
    for frame in began:
        presses.hear(frame)
    presses.forget()
    assert presses.hear(TextureFrame(began[-1].t + 0.1, PAD, EMPTY)) is None


def test_of_what_rests_on_the_matrix_all_day_only_the_end_counts() -> None:
    picture, other = press(2, 3)[0], press(4, 3)[0]
    (told,) = folded(*frames(*[other] * 200, *[picture] * 200, EMPTY))
    assert told.cls == "2t"


def test_a_single_picture_is_no_press() -> None:
    picture, _ = press(2, 3)
    assert folded(*frames(picture, EMPTY)) == []


def test_a_board_that_was_away_in_between_felt_no_press() -> None:
    picture, _ = press(2, 3)
    said = frames(*[picture] * 5, EMPTY)
    assert [type(one) for one in BoardSource(ToldLink(*said), {}, book=BOOK).poll()] == [Texture]
    said.insert(5, Disconnected(said[4].t, "unplugged"))
    assert not [one for one in BoardSource(ToldLink(*said), {}, book=BOOK).poll() if isinstance(one, Texture)]
    assert BoardSource(ToldLink(*said), {}).poll() != []  # without a book frames are passed over


def test_a_mattress_on_the_pad_is_felt_through_chip_board_wire_and_link() -> None:
    clock, end = ManualClock(), MemoryEnd()
    board = VirtualBoard(clock=clock, seed=1, end=end)
    tags = enrol(["M3A", "M3S"], Random(1))
    rig = Rig(board, tags, VIRTUAL.rig("basic"), profile("home"), Random(2))
    link = Link(end.path, clock, opener=end.open, session=1)
    source = BoardSource(link, {uid.hex(): code for code, uid in tags.items()}, book=BOOK)

    def live(seconds: float) -> list[Observation]:
        heard: list[Observation] = []
        until = clock.now() + seconds
        while clock.now() < until:
            clock.sleep(0.02)
            rig.step(clock.now())
            heard += source.poll()
        return heard

    live(3.0)
    felt = []
    for code in ("M3A", "M3S"):
        rig.tag_on(code)
        heard = live(0.8)
        rig.tag_off(code)
        heard += live(0.5)
        felt += [one for one in heard if isinstance(one, Texture)]
    assert [one.cls for one in felt] == ["3t", None]
    assert all(one.p >= COSTS.sure_texture for one in felt)
    source.close()
    board.close()


def test_a_mattress_is_enrolled_by_three_good_presses() -> None:
    good, rest = press(6, 9)
    smooth, _ = press(None, 10)
    half = bytes(value if n % 16 < 8 else 0 for n, value in enumerate(good))
    said: list[str] = []
    pictures = [smooth, good, half, good, good]
    link = ToldLink(
        *(frame for n, one in enumerate(pictures) for frame in frames(one, one, one, rest, begin=1.0 + n))
    )
    found = gather(link, ManualClock(), said.append)
    assert [text.split(":")[0] for text in said[1:]] == ["once more", "1 of 3", "once more", "2 of 3", "3 of 3"]
    felt = read_book({"6t": found, "5t": [press.hex() for press in RAISED.enrolled(1)["5t"]]})
    assert felt is not None
    assert felt.classes == ("6t", "5t")
    other, rest = press(6, 10)
    assert felt.of(other, rest).cls == "6t"
    with pytest.raises(SourceError, match="nothing was pressed"):
        gather(ToldLink(*frames(good, good)), ManualClock(), said.append)


def test_only_kinds_with_a_raised_picture_are_enrolled() -> None:
    result = CliRunner().invoke(press_command, ["3s"])
    assert isinstance(result.exception, BadInputError)
    assert "0t, 1t" in result.exception.next_step


@pytest.mark.long
def test_the_benchmark_counts_what_was_told_of_what() -> None:
    told = Counter(
        {("3t", "3t"): 8, ("3t", UNTOLD): 2, ("3t", "4t"): 1, (SMOOTH, SMOOTH): 5, ("1t+smooth", "2t"): 1}
    )
    assert in_short(told) == {
        "textured": {"presses": 11, "right": 8, "wrong": 1},
        "smooth": {"presses": 5, "right": 5, "wrong": 0},
        "two at once": {"presses": 1, "one of them": 0, "wrong": 1},
        "confused": {"1t+smooth as 2t": 1, "3t as 4t": 1},
    }
    real = told_of("home", 30, 5)
    assert real.total() == 30
    assert real == told_of("home", 30, 5)
    assert sum(n for (there, said), n in real.items() if there == said) > 15


def test_conductances_come_back_from_what_detours_did_to_them() -> None:
    picture, _ = press(2, 3)
    shares = np.frombuffer(picture, np.uint8).reshape(16, 16) / 255
    read = readings(shares)
    pressed = shares > 0.05
    assert np.corrcoef(shares[pressed], read[pressed])[0, 1] < 0.98
    assert np.allclose(conductances(read)[pressed], shares[pressed], rtol=0.05)


def test_a_press_at_full_reading_everywhere_says_that_the_rows_float() -> None:
    picture, _ = press(2, 3)
    floating = bytes(255 if value > 20 else 30 for value in picture)
    assert rows_float(np.frombuffer(floating, np.uint8).astype(float))
    assert not rows_float(np.frombuffer(as_read(picture), np.uint8).astype(float))
    presses = Presses()
    whole = [TextureFrame(1.0 + 0.066 * n, PAD, floating if n < 5 else bytes([30] * 256)) for n in range(8)]
    (ended,) = [one for frame in whole if (one := presses.hear(frame)) is not None]
    assert ended.rows_float
    assert texture_of(ended, BOOK) is None
