"""What is said of a step that is taken back."""

import pytest
from msgspec.structs import replace

from companion.fusion.hypothesis import Step
from companion.fusion.publisher import Change
from companion.games.registry import load_game
from companion.games.sleepless_princess.rules.actions import Action, Claim, Lay, Look, Seat, Touch
from companion.games.win_claims import TakeBack
from companion.session.narration import VerdictsTold, repaired, verdict_of
from companion.session.stream.events import Claimed
from tests.support.observed import ObservedGame

GAME = load_game("sleepless-princess")
FELT, LOOKED = "Player 1 feels the bottom mattress in the", "Player 1 looks under the"


@pytest.mark.parametrize(
    ("revoked", "steps", "said", "news"),
    [
        ((Touch(0),), (Look(0),), f"I had misread that. Now I see: {LOOKED} ", []),
        ((Touch(0),), (), f"I had misread that. This did not happen: {FELT} ", []),
        ((Touch(0), Look(1)), (Look(1), Touch(0)), "", []),
        ((Touch(0),), (Touch(0), Look(1)), "", [Look(1)]),
        ((Lay(0, 3),), (Lay(0, 4), Touch(1)), "", [Touch(1)]),
        ((Touch(0), Look(1)), (Look(1), Touch(2)), f"I had misread that. Now I see: {FELT} ", []),
        ((), (Touch(0), Look(1)), "", [Touch(0), Look(1)]),
    ],
)
def test_only_what_had_been_said_is_put_right(
    revoked: tuple[Action, ...], steps: tuple[Action, ...], said: str, news: list[Action]
) -> None:
    """A mattress whose face is another one than thought was never spoken of: nobody hears of it now."""
    game = ObservedGame(3)
    game.set_up()
    state = game.tracker.state

    def as_steps(actions: tuple[Action, ...]) -> tuple[Step[object, Action], ...]:
        return tuple(Step(0.0, state, action, state, (), 0.0) for action in actions)

    text, _, fresh = repaired(GAME, Change(as_steps(revoked), as_steps(steps)))
    assert text.startswith(said)
    assert bool(text) == bool(said)
    assert [step.action for step in fresh if GAME.message(state, step.action, state)] == news


def test_what_was_taken_back_is_no_misreading() -> None:
    game = ObservedGame(3)
    game.set_up()
    state = game.tracker.state
    done, back, kept = (Step(1.0, state, action, state) for action in (Touch(0), TakeBack(), Look(1)))
    assert repaired(GAME, Change((kept, back, done), (kept,))) == ("", (), [])
    assert repaired(GAME, Change((kept,), (done, back, kept))) == ("", (), [])
    said = repaired(GAME, Change((kept, done), (kept,))).text
    assert said.startswith(f"I had misread that. This did not happen: {FELT} ")


def test_who_asked_has_not_misread() -> None:
    state = ObservedGame(3).state
    change = Change((Step(2.0, state, Touch(0), state),), (Step(2.0, state, Touch(1), state),))
    told = GAME.message(state, Touch(1), state).text
    assert repaired(GAME, change, answered=True).text == f"Now I know: {told}"


def test_what_was_done_since_is_news_and_no_misreading() -> None:
    game = ObservedGame(3)
    game.set_up()
    state = game.tracker.state

    def at(t: float, action: Action) -> Step[object, Action]:
        return Step(t, state, action, state)

    text, _, fresh = repaired(GAME, Change((at(2.0, Touch(0)),), (at(2.0, Touch(1)), at(3.0, Look(2)))))
    assert text == f"I had misread that. Now I see: {GAME.message(state, Touch(1), state).text}"
    assert [step.action for step in fresh] == [Look(2)]
    text, _, fresh = repaired(GAME, Change((at(2.0, Touch(0)),), (at(3.0, Look(2)),)))
    assert text.startswith(f"I had misread that. This did not happen: {FELT} ")
    assert [step.action for step in fresh] == [Look(2)]


def test_who_changed_seats_is_told_alone() -> None:
    game = ObservedGame(3)
    empty = game.tracker.state
    seats = [
        Step(0.0, empty, Seat(bed, princess), empty._replace(princesses=(princess,) * 5), ())
        for bed, princess in ((0, 1), (1, 2), (1, 3))
    ]
    first, second, third = seats
    text, _, _ = repaired(GAME, Change((first, second), (first, third)))
    assert (
        text == f"I had misread that. Now I see: {GAME.message(third.before, third.action, third.after).text}"
    )


def test_the_reason_of_a_verdict_by_cards_that_were_turned_up_is_what_was_seen() -> None:
    """Fewer mattresses were believed on the bed than lie there: their number is no reason then."""
    game = ObservedGame(3)
    game.set_up()
    state = game.tracker.state
    state = state._replace(beds=((state.beds[0][0],), (*state.beds[1], *state.beds[0][1:]), *state.beds[2:]))
    told = verdict_of(GAME, Step(1.0, state, Claim(0, False), state))
    assert told is not None
    assert (told.verdict, told.reasons) == ("refuted", (GAME.words.turned_up,))
    told = verdict_of(GAME, Step(1.0, state, Claim(0), state))
    assert told is not None
    assert told.reasons[0].startswith("1 mattress lies on")


def test_a_correction_names_two_things_at_most_and_the_log_has_the_rest() -> None:
    game = ObservedGame(3)
    game.set_up()
    state = game.tracker.state
    wrong = Step(1.0, state, Touch(0), state)
    right = tuple(Step(1.0, state, Look(bed), state) for bed in range(5))
    told, rest, news = repaired(GAME, Change((wrong,), right))
    assert told.startswith("I had misread that. Now I see: ")
    assert len(told) <= 160
    assert told.count("Player 1") == 2
    assert [one.text for one in rest] == [GAME.message(state, Look(bed), state).text for bed in range(2, 5)]
    assert news == []


def test_a_verdict_that_was_doubted_and_holds_is_told_once() -> None:
    sleeps = Claimed(10.0, 2, "Pizza, bed 2", "proved", "She sleeps!", "asleep", ())
    unsure = Claimed(10.0, 2, "Pizza, bed 2", "cannot tell", "I cannot tell.", "awake", ())
    verdicts = VerdictsTold()
    again = replace(sleeps, t=11.0)
    assert [verdicts.told(one) for one in (sleeps, again, replace(sleeps, subject=3))] == [False, True, False]
    assert not verdicts.told(replace(sleeps, t=60.0)), "another claim"
    assert [verdicts.told(unsure), verdicts.told(unsure)] == [False, False]
    verdicts.told(again)
    verdicts.forget()
    assert not verdicts.told(again)
