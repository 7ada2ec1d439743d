"""Tests in real MicroPython: left out where node is missing, but never where they are asked for."""

import os

import pytest

from tests.wasm import wasm_board

REQUIRED = "COMPANION_REQUIRE_WASM"


@pytest.fixture(autouse=True)
def _micropython() -> None:
    problem = wasm_board.missing()
    if problem and os.environ.get(REQUIRED):
        pytest.fail(f"{REQUIRED} is set, but {problem}")
    if problem:
        pytest.skip(problem)
