"""Open cards on their way: lifted out of the row, swept off it, or laid into it."""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from textual.content import Content

from companion.session.stream.events import CardView

STEPS = 4
"""STEPS: pictures of one way. The last one of a card that leaves shows nothing of it."""
STEP_S = 0.09
"""STEP_S: time between two pictures (s)."""
SWEPT = 2
"""SWEPT: if at least so many cards leave and none stays, they are swept off sideways."""


class Frame(NamedTuple):
    """One picture of a row in motion."""

    cards: tuple[CardView, ...]
    lifts: tuple[int, ...]
    """How far each card is above its place (below: negative), in parts of its height: STEPS are the whole."""
    shift: int = 0
    """How far all are to the right, in parts of the row's width: STEPS are the whole."""


def frames_between(before: Sequence[CardView], after: Sequence[CardView]) -> list[Frame]:
    """Pictures between two states of a row; empty where nothing came and nothing left.

    A card that turns out to be another one lies where it lay: that is no motion.
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
    """The rows of a card `lift` parts above its place: what is outside its place is cut off."""
    tall, blank = len(face), Content(" " * face[0].cell_length)
    rows = round(abs(lift) * tall / STEPS)
    if lift >= 0:
        return [*face[rows:], *[blank] * rows]
    return [*[blank] * rows, *face[: tall - rows]]


def shifted(row: Content, shift: int, width: int) -> Content:
    """A row of the picture, moved to the right by `shift` parts of `width` columns and cut off there."""
    if not shift:
        return row
    return Content.assemble(" " * round(shift * width / STEPS), row).truncate(width)


def _key(card: CardView) -> tuple[str, str]:
    """What makes a card the same in every language."""
    return card.kind, card.colour
