"""Constants of the fusion are scaled one at a time, wherever they are used, and set back."""

import pytest

from companion.core.errors import BadInputError
from companion.fusion import association, clutter, likelihood
from companion.fusion.sensors import SIGN_MODELS
from companion.rehearse.sensitivity import ALL, chosen_constants, constants, scaled


def test_a_constant_is_scaled_in_every_module_and_set_back() -> None:
    before = likelihood.CHECK_S
    with scaled("CHECK_S", 1.5):
        assert likelihood.CHECK_S == association.CHECK_S == clutter.CHECK_S == 1.5 * before
    assert likelihood.CHECK_S == association.CHECK_S == clutter.CHECK_S == before


def test_a_rate_of_a_sign_is_scaled_and_set_back_after_an_error() -> None:
    before = SIGN_MODELS["touch"].missed_nats

    def fail() -> None:
        with scaled("touch.missed_nats", 2.0):
            assert SIGN_MODELS["touch"].missed_nats == 2 * before
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert SIGN_MODELS["touch"].missed_nats == before


def test_constants_are_chosen_by_name() -> None:
    assert {"DENIED", "RESTLESS", "tag.clutter_nats"} <= constants().keys()
    assert chosen_constants("DENIED") == ["DENIED"]
    assert chosen_constants(ALL) == list(constants())
    with pytest.raises(BadInputError, match="no constant 'DENYED'"):
        chosen_constants("DENYED")
