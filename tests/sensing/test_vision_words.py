"""Every reason that vision can give has words, and each error of vision is told as one of the application."""

import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest

from companion.core.errors import BadInputError, CompanionError, NotThereError, SourceError
from companion.core.language import Language, Text
from companion.sensing.vision_words import WORDS, in_words, told, words_of
from vision import errors, reasons
from vision.reasons import At, Fact, MatLost, Reason, Simple

_SAMPLES: dict[Any, Any] = {
    str: "lamp",
    int: 7,
    float: 2.5,
    bool: True,
    reasons.SignIn: reasons.SignIn.WRONG,
    At: At("door", Simple.DARK),
    reasons.PlaceFit: reasons.PlaceFit(2.5, True, -3, 4, None),
}


def _sample(kind: Any) -> Any:
    """A value of a field's type; the last of a union, so that what may be None is there."""
    if kind in _SAMPLES:
        return _SAMPLES[kind]
    parts = [part for part in get_args(kind) if part not in (type(None), ...)]
    if getattr(kind, "__origin__", None) is tuple:
        return tuple(map(_sample, parts)) if ... not in get_args(kind) else (Simple.EXPOSING, Simple.FOCUSING)
    return _sample(parts[-1])


def _reasons() -> Iterator[Reason]:
    yield from Simple
    for kind in Fact.__subclasses__():
        yield kind(**{name: _sample(of) for name, of in get_type_hints(kind).items()})


def test_each_reason_of_vision_has_words_and_no_words_are_left_over() -> None:
    assert {one if isinstance(one, Simple) else type(one) for one in _reasons()} == set(WORDS)


@pytest.mark.parametrize("reason", _reasons(), ids=lambda one: getattr(one, "name", type(one).__name__))
def test_no_field_of_a_reason_is_missing_from_its_words(reason: Reason) -> None:
    for said in (words_of(reason), Language("de").say(words_of(reason))):
        assert said
        assert not re.search(r"\{\w+\}", said)


def test_a_reason_within_a_reason_is_said_in_the_readers_language() -> None:
    lost = words_of(reasons.CameraLost(Simple.NO_MORE_FRAMES))
    assert lost == "camera lost: no more frames"
    assert isinstance(lost, Text)
    assert "frames" not in Language("de").say(lost)


def test_words_of_a_driver_stay_as_they_came() -> None:
    assert words_of("VIDIOC_STREAMON: {why}") == "VIDIOC_STREAMON: {why}"
    assert words_of(reasons.CameraLost("{error}")) == "camera lost: {error}"


def test_the_likely_cause_of_a_lost_mat_follows_the_count() -> None:
    count = "mat not found: 2 of 4 corner markers in sight"
    assert words_of(MatLost(seen=2, of=4)) == count
    assert words_of(MatLost(seen=2, of=4, dark=True)) == f"{count}; it is dark"


@pytest.mark.parametrize(
    ("raised", "wanted"),
    [
        (errors.UnusableError, BadInputError),
        (errors.CameraError, SourceError),
        (errors.NotThereError, NotThereError),
        (errors.LostError, CompanionError),
    ],
)
def test_an_error_keeps_its_kind_place_and_next_step(
    raised: type[errors.VisionError], wanted: type[CompanionError]
) -> None:
    with pytest.raises(CompanionError) as caught, in_words():
        raise raised(Simple.NO_VIDEO, "http://me:secret@desk/a\x1b")
    assert type(caught.value) is wanted
    assert (
        str(caught.value) == "http://desk/a?: cannot be read as a video; try to play it, or convert it to MP4"
    )


def test_a_place_may_be_a_reason_itself() -> None:
    lost = errors.CameraError(Simple.NO_CARD_LAY_STILL, Simple.DARK)
    assert str(told(lost)).startswith("it is dark: no card lay still; ")
    assert words_of(lost.at) == str(told(lost))
