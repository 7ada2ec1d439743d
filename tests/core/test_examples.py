"""The examples in docstrings run, and show what they promise."""

import doctest
from importlib import import_module

import pytest

SHOWN = [
    "calibration.profile",
    "companion.core.clock",
    "companion.core.language",
    "firmware.host",
    "firmware.wire.codec",
]
"""Modules with an example in a docstring."""


@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried
    assert not failed
