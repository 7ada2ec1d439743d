"""Settings of every test process: threads, garbage collection, and how long a test may take."""

import fcntl
import gc
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from companion.core import process_tuning

# Set before NumPy and OpenCV are loaded. Test processes run beside each other already;
# threads that wait for work in loops took more processor time than the work itself.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["OPENCV_FOR_THREADS_NUM"] = "1"

# Whatever the language and the settings of the one who tests, which no test may change.
os.environ["COMPANION_LANGUAGE"] = "en"
_HOME = tempfile.TemporaryDirectory(prefix="companion-tests-", ignore_cleanup_errors=True)
for _folder in ("CONFIG", "STATE", "DATA"):
    os.environ[f"XDG_{_folder}_HOME"] = os.path.join(_HOME.name, _folder.lower())  # noqa: PTH118
os.environ["XDG_RUNTIME_DIR"] = _HOME.name  # an engine of whoever tests has its socket elsewhere

# The same examples in every run, however slow the machine is.
settings.register_profile("companion", derandomize=True, deadline=None)
settings.load_profile("companion")

_BEGAN = time.monotonic()

YOUNG_OBJECTS = 100_000
"""Objects allocated and not freed between two searches for cycles among the youngest."""
OBJECTS_OF_A_TEST = 400_000
"""A test that leaves more objects behind is followed by a search for cycles among those."""
TESTS_BETWEEN = 10
"""Number of such searches before one among all objects that are younger than the modules."""

LONG_S = 3600
"""Limit (s) of a test that plays whole games; that of all others is in pyproject.toml."""


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    """A command that a test runs in its own process leaves language and table as they were."""
    yield
    from companion.core.language import use

    os.environ["COMPANION_LANGUAGE"] = "en"
    os.environ.pop("COMPANION_TABLE", None)
    use("en")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`make check` has a minute."""
    parser.addoption("--within", type=float, help="Skip tests that begin later than so many seconds.")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what begins too late for `make check`."""
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() - _BEGAN > within:
        pytest.skip(f"not within {within:.0f} s: make test runs it")


def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than cores: tests that wait for a process left a core idle for a seventh of the time."""
    return len(os.sched_getaffinity(0)) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let one worker compile all tests: the others wait, and then load what it compiled."""
    with Path(__file__).open() as shared:
        try:
            fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(shared, fcntl.LOCK_SH)
        return (yield)


@pytest.hookimpl(tryfirst=True)  # before -m 'not long' chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Cases of a test beyond its first `quick(n)` are long. Give long tests their own time limit."""
    cases: Counter[str] = Counter()
    for item in items:
        if (quick := item.get_closest_marker("quick")) is not None:
            function = item.nodeid.partition("[")[0]
            cases[function] += 1
            if cases[function] > quick.args[0]:
                item.add_marker("long")
        if item.get_closest_marker("long") is not None:
            item.add_marker(pytest.mark.timeout(LONG_S))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Search for cycles seldom amid a test, and never among the modules.

    A tracker keeps many small objects while a test lasts: searching among them took a sixth of the suite's
    processor time. When the test is over most of them are gone.
    """
    process_tuning.freeze_garbage = _keep_garbage
    gc.collect()
    gc.freeze()
    _search_seldom()


def _keep_garbage() -> None:
    """An engine between two games would search all that a test process holds: 17 s of the suite."""


def _search_seldom() -> None:
    gc.set_threshold(YOUNG_OBJECTS, 1_000, 1_000)


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Search once for what nobody awaited or closed: at its end pytest searches five times, a second each."""
    gc.collect()
    gc.freeze()


# Modules hold all that is made while tests are collected.
_search_seldom()
_searches = count(1)


def pytest_runtest_logfinish() -> None:
    """Free what a test has left behind."""
    _search_seldom()  # an engine in a test's process sets thresholds of its own
    young, searched, _ = gc.get_count()
    if searched * YOUNG_OBJECTS + young > OBJECTS_OF_A_TEST:
        gc.collect(2 if next(_searches) % TESTS_BETWEEN == 0 else 1)
