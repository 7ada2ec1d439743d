"""Open cards on their way: lifted out of the row, swept off it, or laid into it."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from textual.content import Content

from companion.session.stream.events import CardView

STEPS = 4
"""STEPS: number of pictures that show one motion of cards. In the last one, a leaving card has disappeared."""
STEP_S = 0.09
"""STEP_S: time (s) between two pictures of a motion of cards. A guess."""
SWEPT = 2
"""SWEPT: least number of cards that, if all leave together, are swept off sideways instead of lifted."""


class Frame(NamedTuple):
    """One picture of a row of cards in motion.

    `cards`: all cards in the row, from the left.
    """

    cards: tuple[CardView, ...]
    lifts: tuple[int, ...]
    """Height of each card above its place (negative: below), in units of 1/STEPS of the card's height."""
    shift: int = 0
    """Shift of all cards to the right, in units of 1/STEPS of the row's width."""


def frames_between(before: Sequence[CardView], after: Sequence[CardView]) -> list[Frame]:
    """Pictures that show how a row of open cards changes, in their order.

    `before`, `after`: cards of the row. Leaving cards are lifted or swept off; then new ones come from below.
    [] if the number of cards stays equal: a card that is only identified anew does not move.
    """
    if len(before) == len(after):
        return []
    old, new = [_key(card) for card in before], [_key(card) for card in after]
    leaving, coming = [True] * len(old), [True] * len(new)
    for at_old, at_new, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        leaving[at_old : at_old + size] = [False] * size
        coming[at_new : at_new + size] = [False] * size
    return [*_leaving(before, leaving), *_coming(after, coming)]


def _leaving(row: Sequence[CardView], leaving: Sequence[bool]) -> Iterator[Frame]:
    """Yield pictures of cards that leave a row upwards.

    `leaving`: True for each card of `row` that leaves. If all leave (at least SWEPT), they are swept off
    sideways.
    """
    if not any(leaving):
        return
    swept = all(leaving) and len(row) >= SWEPT
    for step in range(1, STEPS + 1):
        lifts = tuple(0 if swept or not gone else step for gone in leaving)
        yield Frame(tuple(row), lifts, step if swept else 0)


def _coming(row: Sequence[CardView], coming: Sequence[bool]) -> Iterator[Frame]:
    """Yield pictures of cards entering a row from below.

    `row`: cards in the row afterwards. `coming`: True for each of them that comes.
    """
    if any(coming):
        for step in range(STEPS, 0, -1):
            yield Frame(tuple(row), tuple(-step if comes else 0 for comes in coming))


def lifted(face: Sequence[Content], lift: int) -> list[Content]:
    """Drawn card lifted above its place, or below it.

    `face`: rows of text of the card. `lift`: as in Frame.lifts. What leaves the card's place is cut off.
    """
    tall, blank = len(face), Content(" " * face[0].cell_length)
    rows = round(abs(lift) * tall / STEPS)
    if lift >= 0:
        return [*face[rows:], *[blank] * rows]
    return [*[blank] * rows, *face[: tall - rows]]


def shifted(row: Content, shift: int, width: int) -> Content:
    """Row of text moved to the right, cut off at `width` columns.

    `shift`: as in Frame.shift.
    """
    if not shift:
        return row
    return Content.assemble(" " * round(shift * width / STEPS), row).truncate(width)


def _key(card: CardView) -> tuple[str, str]:
    """Kind and colour of a card, equal in all languages."""
    return card.kind, card.colour
