"""Garbage between two games: the last game is freed, the next one is not searched."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from companion.core.process_tuning import GC_THRESHOLDS, freeze_garbage


class Game:
    """Refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.myself = self


@pytest.fixture
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.freeze()


@pytest.mark.long
@pytest.mark.usefixtures("as_before")
def test_the_last_game_is_freed_though_it_was_frozen() -> None:
    game = Game()
    gone = weakref.ref(game)
    freeze_garbage()
    del game
    gc.collect()
    assert gone() is not None, "frozen"
    freeze_garbage()
    assert gone() is None
    assert gc.get_freeze_count()
    assert gc.get_threshold() == GC_THRESHOLDS
