"""Messages that may still be revised: firm in their order, withdrawn without a word."""

from hypothesis import given
from hypothesis import strategies as st

from companion.games.narrator import Message
from companion.session.provisional_sentences import FIRM_S, ProvisionalMessages

WORDS = ("one", "two", "three")


def message(text: str) -> Message:
    return Message(text, text)


@given(
    st.lists(
        st.tuples(st.floats(0.0, 5.0), st.sampled_from(WORDS), st.sampled_from(("add", "withdraw"))),
        max_size=30,
    )
)
def test_each_message_is_said_once_or_withdrawn_never_both(steps: list[tuple[float, str, str]]) -> None:
    waiting = ProvisionalMessages()
    t, added, said, withdrawn = 0.0, 0, 0, 0
    for passed, text, what in steps:
        t += passed
        for one in waiting.firm(t):
            assert t - one.at >= FIRM_S
            said += 1
        if what == "add":
            waiting.add(t, message(text))
            added += 1
        else:
            withdrawn += len(waiting.withdraw([message(text)]))
        assert len(waiting.texts) == added - said - withdrawn
    rest = waiting.all()
    assert [one.at for one in rest] == sorted(one.at for one in rest)
    assert len(rest) == added - said - withdrawn
    assert waiting.texts == ()


def test_the_newest_of_two_equal_messages_is_withdrawn() -> None:
    waiting = ProvisionalMessages()
    waiting.add(0.0, message("one"))
    waiting.add(5.0, message("one"))
    assert [one.at for one in waiting.withdraw([message("one"), message("two"), None])] == [5.0]
    assert waiting.texts == ("one",)


def test_a_message_waits_for_those_before_it() -> None:
    waiting = ProvisionalMessages()
    waiting.add(9.0, message("one"))
    waiting.add(0.0, message("two"))
    assert waiting.firm(FIRM_S) == []
    assert [one.message.id for one in waiting.firm(9.0 + FIRM_S)] == ["one", "two"]
