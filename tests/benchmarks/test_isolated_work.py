"""Work in processes of their own: results as they come, and a killed process that holds up nobody."""

import signal
from math import sqrt

from tests.benchmarks.isolated_work import isolated


def test_a_process_that_is_killed_costs_its_own_result_only() -> None:
    assert list(isolated(signal.raise_signal, [signal.SIGKILL], 1)) == [(signal.SIGKILL, None)]
    assert dict(isolated(sqrt, [4.0, 9.0], 2)) == {4.0: 2.0, 9.0: 3.0}
