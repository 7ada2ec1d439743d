"""Settings of every test process: threads, garbage collection, and how long a test may take."""

import gc
import os

import pytest

# Set before NumPy and OpenCV are loaded. Test processes run beside each other already;
# threads that wait for work in loops took more processor time than the work itself.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENCV_FOR_THREADS_NUM"] = "1"
# The tracker makes many small objects that live on: looking for cycles among them took a fifth of its time.
gc.set_threshold(20_000, 20, 20)

LONG_S = 3600
"""Limit (s) of a test that plays whole games; that of all others is in pyproject.toml."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give long tests their own time limit."""
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(pytest.mark.timeout(LONG_S))
