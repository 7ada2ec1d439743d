"""Number cards in sentences.

The article depends on the number in some languages.
"""

from collections.abc import Mapping

from companion.core.language import Text, term, text

_A: Mapping[int, Text] = {1: text("a 1"), 8: text("an 8")}
_THE: Mapping[int, Text] = {1: text("the 1"), 8: text("the 8")}
_OPEN: Mapping[int, Text] = {1: text("the open 1"), 8: text("the open 8")}
_PLURALS = (
    term("cards", "ones"),
    term("cards", "twos"),
    term("cards", "threes"),
    term("cards", "fours"),
    term("cards", "fives"),
    term("cards", "sixes"),
    term("cards", "sevens"),
    term("cards", "eights"),
    term("cards", "nines"),
    term("cards", "tens"),
)


def a_number(number: int) -> Text:
    """Words for a number card (1 to 10) mentioned for the first time: "a 5", "an 8"."""
    return _A.get(number) or text("a {number}", number=number)


def the_number(number: int) -> Text:
    """Words for a number card (1 to 10) that was mentioned before: "the 5"."""
    return _THE.get(number) or text("the {number}", number=number)


def the_open_number(number: int) -> Text:
    """Words for a number card (1 to 10) in the row of open cards: "the open 5"."""
    return _OPEN.get(number) or text("the open {number}", number=number)


def your_number(number: int) -> Text:
    """Words for a number card (1 to 10) in the listener's hand: "your 5"."""
    return text("your {number}", number=number)


def numbers(number: int) -> Text:
    """Word for cards of a number (1 to 10), in the plural after a count: "fives"."""
    return _PLURALS[number - 1]
