"""Open cards on their way: lifted out of the row, swept off it, or laid into it."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from textual.content import Content

from companion.session.stream.events import CardView

STEPS = 4
"""STEPS: pictures of one motion. In the last one, a leaving card has disappeared."""
STEP_S = 0.09
"""STEP_S: time (s) between two pictures of a motion. A guess."""
SWEPT = 2
"""SWEPT: least number of cards that are swept off sideways when they all leave together."""


class Frame(NamedTuple):
    """One picture of a row of cards in motion."""

    cards: tuple[CardView, ...]
    lifts: tuple[int, ...]
    """Height of each card above its place (negative: below), in units of 1/STEPS of the card's height."""
    shift: int = 0
    """Shift of all cards to the right, in units of 1/STEPS of the row's width."""


def frames_between(before: Sequence[CardView], after: Sequence[CardView]) -> list[Frame]:
    """Pictures of the motion between two states of a row of cards; [] if no card came or left.

    A card that is only identified anew does not move.
    """
    if len(before) == len(after):
        return []
    old, new = [_key(card) for card in before], [_key(card) for card in after]
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    stay_old = {block.a + n for block in blocks for n in range(block.size)}
    stay_new = {block.b + n for block in blocks for n in range(block.size)}
    frames = []
    leaving = [at not in stay_old for at in range(len(old))]
    if any(leaving):
        swept = all(leaving) and len(old) >= SWEPT
        for step in range(1, STEPS + 1):
            lifts = tuple(0 if swept or not gone else step for gone in leaving)
            frames.append(Frame(tuple(before), lifts, step if swept else 0))
    coming = [at not in stay_new for at in range(len(new))]
    if any(coming):
        ways = ([-step if comes else 0 for comes in coming] for step in range(STEPS, 0, -1))
        frames += [Frame(tuple(after), tuple(way)) for way in ways]
    return frames


def lifted(face: Sequence[Content], lift: int) -> list[Content]:
    """Rows of a card that is lifted by `lift` (as in Frame.lifts), cut off at the borders of its place."""
    tall, blank = len(face), Content(" " * face[0].cell_length)
    rows = round(abs(lift) * tall / STEPS)
    if lift >= 0:
        return [*face[rows:], *[blank] * rows]
    return [*[blank] * rows, *face[: tall - rows]]


def shifted(row: Content, shift: int, width: int) -> Content:
    """Row of text moved to the right by `shift` (as in Frame.shift), cut off at `width` columns."""
    if not shift:
        return row
    return Content.assemble(" " * round(shift * width / STEPS), row).truncate(width)


def _key(card: CardView) -> tuple[str, str]:
    """Identity of a card, equal in all languages."""
    return card.kind, card.colour
