"""Tables measured together: no process stays behind."""

import os
from pathlib import Path

import pytest

from tests.benchmarks import tables_bench

SLOW_TO_END = """
trap '' TERM
echo $$ >>"$0"
for word; do case $word in */table.json | */engine.sock) touch "$word" ;; esac; done
exec sleep 60
"""
"""SLOW_TO_END: table or engine that is there at once, and too slow to end when told to."""


def test_tables_and_engines_that_end_too_slowly_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    monkeypatch.setattr(
        tables_bench, "companion_command", lambda *words: ["sh", "-c", SLOW_TO_END, pids, *words]
    )
    monkeypatch.setattr(tables_bench, "WARM_S", 0.0)
    monkeypatch.setattr(tables_bench, "END_S", 0.05)
    tables_bench.bench_tables(0.01, tables=1)
    begun = pids.read_text().split()
    assert len(begun) == 2
    for pid in begun:
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
