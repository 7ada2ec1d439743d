"""A machine that does not keep up says so, and the table that began last gives way."""

import pytest

from companion.core.language import localized
from companion.session.machine_load import GIVES_WAY, LONGEST_PICTURE_S, WINDOW_S, MachineLoad


def passing(load: MachineLoad, spent_s: float, windows: int = 1, began: list[float] | None = None) -> list[str]:
    """What is said while pictures take so long."""
    said = []
    clock = began if began is not None else [0.0]
    for _ in range(int(windows * WINDOW_S * 10) + 1):
        clock[0] += 0.1
        if (news := load.took(clock[0], spent_s)) is not None:
            said.append("ok" if news.ok else localized(news.detail))
    return said


@pytest.mark.parametrize(
    ("others", "gives_way", "said"),
    [
        ([], False, "too busy: I see the table late; close other programs"),
        ([True] * 4, True, "too busy for 5 tables; this last one goes on slowly: stop one"),
        ([True, False], False, "too busy for 3 tables: stop one"),
    ],
)
def test_the_table_that_began_last_gives_way(others: list[bool], gives_way: bool, said: str) -> None:
    given: list[int] = []
    load = MachineLoad(lambda: others, given.append)
    assert passing(load, 2 * LONGEST_PICTURE_S, windows=5) == [said], "it is said once"
    assert given == [GIVES_WAY] * gives_way


def test_a_machine_that_keeps_up_says_nothing_and_the_start_does_not_count() -> None:
    load = MachineLoad(lambda: pytest.fail("nobody has to be asked"), lambda _by: pytest.fail("no"))
    clock = [0.0]
    assert passing(load, 5 * LONGEST_PICTURE_S, 1, clock) == []
    assert passing(load, 0.6 * LONGEST_PICTURE_S, 5, clock) == []


def test_it_says_when_it_keeps_up_again_and_not_by_turns() -> None:
    load = MachineLoad(list, lambda _by: None)
    clock = [0.0]
    assert len(passing(load, 2 * LONGEST_PICTURE_S, 3, clock)) == 1
    assert passing(load, 0.8 * LONGEST_PICTURE_S, 3, clock) == []
    assert passing(load, 0.2 * LONGEST_PICTURE_S, 3, clock) == ["ok"]
