"""The examples in docstrings run, and show what they promise."""

import doctest
from importlib import import_module

import pytest

SHOWN = [
    "calibration.rig_store",
    "companion.core.clock",
    "companion.core.language",
    "companion.games.sleeping_queens.rules.apply",
    "companion.games.sleeping_queens.rules.rulebook",
    "companion.games.sleeping_queens.rules.equations",
    "companion.games.sleeping_queens.rules.game_end",
    "companion.games.sleeping_queens_2.rules.apply",
    "companion.games.sleeping_queens_2.rules.rulebook",
    "companion.games.sleeping_queens_2.rules.equations",
    "companion.games.sleepless_princess.rules.apply",
    "companion.games.sleepless_princess.rules.claim_rules",
    "companion.games.sleepless_princess.rules.dealing",
    "companion.games.table_game",
    "firmware.host",
    "firmware.wire.codec",
    "vision.camera.mains",
    "vision.codes.code_reader",
    "vision.codes.codebook",
    "vision.mat.mat_finder",
    "vision.photos.image_headers",
    "vision.photos.picture_annotations",
]
"""Modules with an example in a docstring."""


@pytest.mark.parametrize("name", SHOWN)
def test_the_examples_of_a_module_run(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert tried
    assert not failed
