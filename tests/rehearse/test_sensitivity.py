"""Constants of the fusion are scaled wherever they are used and set back, and their effects are told apart."""

from dataclasses import replace
from random import Random

import pytest

from companion.core.errors import BadInputError
from companion.fusion import action_search, association, clutter
from companion.fusion.parameters import reading_costs
from companion.fusion.parameters.sign_models import SIGN_MODELS
from companion.rehearse.sensitivity import (
    ALL,
    FACTORS,
    HIGH,
    LOW,
    constants,
    drawn_factors,
    effects,
    scaled,
    settings_of,
)


def test_a_constant_is_scaled_in_every_module_and_set_back() -> None:
    users = (reading_costs, association, clutter)
    before = [module.COSTS for module in users]
    with scaled((("check_s", 1.5),)):
        assert all(replace(before[0], check_s=6.0) == module.COSTS for module in users)
    assert [module.COSTS for module in users] == before


def test_what_was_computed_from_a_constant_is_computed_anew() -> None:
    due = ("2",), ("3",), False, 0, False, 0.0
    lost, cost = clutter.CANCELLED["lift"], action_search.differs(*due)
    with scaled((("restless", 2.0), ("strange_card", 2.0))):
        assert clutter.CANCELLED["lift"] == ("put", 2 * lost[1], lost[2])
        assert action_search.differs(*due) > cost
    assert (clutter.CANCELLED["lift"], action_search.differs(*due)) == (lost, cost)


def test_a_rate_of_a_sign_is_scaled_and_set_back_after_an_error() -> None:
    before = SIGN_MODELS["touch"].missed_nats

    def fail() -> None:
        with scaled((("touch.missed_nats", 2.0),)):
            assert SIGN_MODELS["touch"].missed_nats == 2 * before
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert SIGN_MODELS["touch"].missed_nats == before


def test_constants_are_chosen_by_name() -> None:
    assert {"denied", "restless", "tag.clutter_nats"} <= constants().keys()
    one = [[((("denied", factor)),)] * 2 for factor in FACTORS]
    assert settings_of("denied", [5, 6]) == [[(), ()], *one]
    with pytest.raises(BadInputError, match="no constant 'denyed'"):
        settings_of("denyed", [5])


def test_all_constants_are_drawn_by_the_seed_and_mirrored() -> None:
    as_they_are, drawn, mirrored = settings_of(ALL, [5, 6])
    assert as_they_are == [(), ()]
    assert drawn == [drawn_factors(5), drawn_factors(6)] != [drawn_factors(6), drawn_factors(5)]
    for one, other in zip(drawn, mirrored, strict=True):
        assert [name for name, _ in one] == [name for name, _ in other] == list(constants())
        assert all({here, there} == {LOW, HIGH} for (_, here), (_, there) in zip(one, other, strict=True))


def test_a_constant_with_an_effect_stands_out_and_others_do_not() -> None:
    """Counts of games with a noise of their own, in which one constant takes two open claims away."""
    chance = Random(3)
    drawn, mirrored = {}, {}
    for seed in range(60):
        high = dict(drawn_factors(seed))["restless"] == HIGH
        own = chance.randint(0, 5)
        drawn[seed] = {"cannot_tell": own + chance.randint(0, 2) + (0 if high else 2)}
        mirrored[seed] = {"cannot_tell": own + chance.randint(0, 2) + (2 if high else 0)}
    first, *others = effects(drawn, mirrored)
    assert (first.constant, first.counted, first.stands_out) == ("restless", "cannot_tell", True)
    assert abs(first.effect + 2) < 3 * first.error
    assert not any(one.stands_out for one in others)
