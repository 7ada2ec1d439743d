"""Each reason that vision and firmware can give has words, and their errors are told as the application's."""

import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

import firmware.errors
import firmware.reasons
import vision.errors
import vision.reasons
from companion.core.errors import BadInputError, CompanionError, NotThereError, SourceError
from companion.core.language import Language, Text
from companion.sensing import board_words, vision_words
from vision.reasons import MatLost, Simple

_WORDS = {vision.reasons: vision_words, firmware.reasons: board_words}
"""Reasons of a library -> their words."""
_SAMPLES: dict[Any, Any] = {
    str: "lamp",
    int: 7,
    float: 2.5,
    bool: True,
    vision.reasons.SignIn: vision.reasons.SignIn.WRONG,
    vision.reasons.Simple: vision.reasons.Simple.DARK,
    vision.reasons.At: vision.reasons.At("door", Simple.DARK),
    vision.reasons.PlaceFit: vision.reasons.PlaceFit(2.5, True, -3, 4, None),
    firmware.reasons.Simple: firmware.reasons.Simple.CRASHED,
}


def _sample(kind: Any) -> Any:
    """A value of a field's type; the last of a union, so that what may be None is there."""
    if kind in _SAMPLES:
        return _SAMPLES[kind]
    parts = [part for part in get_args(kind) if part not in (type(None), ...)]
    if getattr(kind, "__origin__", None) is tuple:
        return tuple(map(_sample, parts)) if ... not in get_args(kind) else (_sample(parts[0]),) * 2
    return _sample(parts[-1])


def _reasons(library: Any) -> Iterator[Any]:
    yield from library.Simple
    for kind in library.Fact.__subclasses__():
        yield kind(**{name: _sample(of) for name, of in get_type_hints(kind).items()})


_ALL = [(reason, words) for library, words in _WORDS.items() for reason in _reasons(library)]


@pytest.mark.parametrize("library", _WORDS, ids=lambda one: one.__name__)
def test_each_reason_of_a_library_has_words_and_no_words_are_left_over(library: Any) -> None:
    given = {one if isinstance(one, library.Simple) else type(one) for one in _reasons(library)}
    assert given == set(_WORDS[library].WORDS)


@pytest.mark.parametrize(("reason", "words"), _ALL, ids=[str(one) for one, _ in _ALL])
def test_no_field_of_a_reason_is_missing_from_its_words(reason: Any, words: Any) -> None:
    for said in (words.words_of(reason), Language("de").say(words.words_of(reason))):
        assert said
        assert not re.search(r"\{\w+\}", said)


def test_a_reason_within_a_reason_is_said_in_the_readers_language() -> None:
    lost = vision_words.words_of(vision.reasons.CameraLost(Simple.NO_MORE_FRAMES))
    assert lost == "camera lost: no more frames"
    assert isinstance(lost, Text)
    assert "frames" not in Language("de").say(lost)


def test_words_from_elsewhere_are_no_templates_and_reach_no_terminal() -> None:
    assert vision_words.words_of("VIDIOC_STREAMON: {why}") == "VIDIOC_STREAMON: {why}"
    assert vision_words.words_of(vision.reasons.CameraLost("{error}")) == "camera lost: {error}"
    crashed = board_words.words_of(firmware.reasons.ProgramCrashed("\x1b[2J"))
    assert crashed == "the board's program crashed: ?[2J"


def test_the_likely_cause_of_a_lost_mat_follows_the_count() -> None:
    count = "mat not found: 2 of 4 corner markers in sight"
    assert vision_words.words_of(MatLost(seen=2, of=4)) == count
    assert vision_words.words_of(MatLost(seen=2, of=4, dark=True)) == f"{count}; it is dark"


@pytest.mark.parametrize(("major", "mend"), [(0, "companion flash"), (9, "update companion")])
def test_of_board_and_program_the_older_one_is_renewed(major: int, mend: str) -> None:
    assert board_words.parts_of(firmware.reasons.OtherProtocol(major, 2, 1)) == (
        f"the board speaks protocol {major}.2, this program 1",
        mend,
    )


@pytest.mark.parametrize(
    ("raised", "wanted"),
    [
        (vision.errors.UnusableError, BadInputError),
        (vision.errors.CameraError, SourceError),
        (vision.errors.NotThereError, NotThereError),
        (vision.errors.LostError, CompanionError),
    ],
)
def test_an_error_keeps_its_kind_place_and_next_step(
    raised: type[vision.errors.VisionError], wanted: type[CompanionError]
) -> None:
    with pytest.raises(CompanionError) as caught, vision_words.in_words():
        raise raised(Simple.NO_VIDEO, "http://me:secret@desk/a\x1b")
    assert type(caught.value) is wanted
    assert (
        str(caught.value) == "http://desk/a?: cannot be read as a video; try to play it, or convert it to MP4"
    )


@pytest.mark.parametrize(
    ("raised", "wanted"),
    [(firmware.errors.UnusableError, BadInputError), (firmware.errors.BoardError, SourceError)],
)
def test_an_error_of_a_port_keeps_its_kind_place_and_next_step(
    raised: type[firmware.errors.FirmwareError], wanted: type[CompanionError]
) -> None:
    with pytest.raises(CompanionError) as caught, board_words.in_words():
        raise raised(firmware.reasons.Simple.PORT_IN_USE, "/dev/x")
    assert type(caught.value) is wanted
    assert str(caught.value) == "/dev/x: the port is in use by another program; close the other program"


def test_a_place_may_be_a_reason_itself() -> None:
    lost = vision.errors.CameraError(Simple.NO_CARD_LAY_STILL, Simple.DARK)
    assert str(vision_words.told(lost)).startswith("it is dark: no card lay still; ")
    assert vision_words.words_of(lost.at) == str(vision_words.told(lost))
