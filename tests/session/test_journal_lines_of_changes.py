"""Changes as journal lines, folded back to the state they led to; lines that no game can have."""

from random import Random
from typing import Any

import pytest

from companion.core.errors import JournalError
from companion.fusion.hypothesis import Step
from companion.fusion.publisher import Change
from companion.games.sleepless_princess.rules.dealing import setup
from companion.games.sleepless_princess.rules.hidden_state import hide
from companion.games.sleepless_princess.rules.state import State
from companion.session.journal.change_lines import change_lines
from companion.session.journal.journal_fold import Fold
from companion.session.journal.journal_lines import Adopted, Done, Line, Revoked
from tests.support.observed import GAME

START = setup("5+", 2, Random(4))


def steps(state: State, seed: int, number: int) -> list[Step[Any, Any]]:
    """Steps by chance from a state, all with known cards."""
    chance, found = Random(seed), list[Step[Any, Any]]()
    for at in range(number):
        action = chance.choice(GAME.legal_actions(state))
        after = GAME.apply(state, action)
        found.append(Step(float(at), state, action, after))
        state = after
    return found


def folded(lines: list[Line], before: list[Step[Any, Any]]) -> Fold:
    fold = Fold(GAME, before[-1].after, [step.before for step in before], len(before))
    for line in lines:
        fold.take(line)
    return fold


FIRST = steps(START, 1, 4)
END = FIRST[-1].after
OTHER = steps(FIRST[-2].before, 2, 3)
CORRECTED = steps(hide(END), 3, 1)


@pytest.mark.parametrize(
    ("change", "state", "wanted"),
    [
        (Change(), END, []),
        (Change(revoked=tuple(FIRST[:1:-1])), FIRST[2].before, [Revoked]),
        (Change(revoked=tuple(FIRST[:1:-1]), steps=tuple(OTHER)), OTHER[-1].after, [Revoked, Done, Done, Done]),
        # Cards that turned up have corrected a state before a step, after a step, or after what was revoked.
        (
            Change(revoked=tuple(FIRST[:2:-1]), steps=tuple(CORRECTED)),
            CORRECTED[-1].after,
            [Revoked, Adopted, Done],
        ),
        (Change(revoked=tuple(FIRST[:1:-1]), steps=tuple(OTHER)), START, [Revoked, Done, Done, Done, Adopted]),
        (Change(revoked=tuple(FIRST[:2:-1])), START, [Revoked, Adopted]),
        (Change(adopted=START), START, [Adopted]),
    ],
    ids=["nothing", "revoked", "others", "corrected before", "corrected after", "corrected", "taken over"],
)
def test_lines_of_a_change_lead_to_its_state(
    change: Change[Any, Any], state: State, wanted: list[type]
) -> None:
    lines = list(change_lines(GAME, 9.0, change, state))
    assert [type(line) for line in lines] == wanted
    after = folded(lines, FIRST)
    assert after.state == state
    assert after.actions == len(after.before) == len(FIRST) - len(change.revoked) + len(change.steps)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            Adopted(1.0, GAME.write_state(END._replace(fates=(2, *END.fates[1:])))),
            "an impossible state was recorded",
        ),
        (Adopted(1.0, "nonsense"), "not a state: 'nonsense'"),
        (Revoked(1.0, 5), "5 actions taken back, only 4 were recorded"),
        (Revoked(1.0, 0), "0 actions taken back"),
        (Done(1.0, "open W W"), "an impossible action was recorded: 'open W W'"),
    ],
)
def test_a_line_that_no_game_can_have_is_named(line: Line, says: str) -> None:
    with pytest.raises(JournalError) as caught:
        folded([line], FIRST)
    assert says in caught.value.what
