"""The box with the lesson to read now, over the lower part of the table."""

import textwrap

from textual.content import Content

from companion.core.language import tr
from companion.dashboard.widgets.panel import Panel, write_edge
from companion.session.stream.events import LessonView

_EDGE = 2
"""_EDGE: rows, or columns, of both borders of the box together."""


class LessonPanel(Panel):
    """Box with a lesson for beginners, over the lower part of the table screen."""

    DEFAULT_CSS = """
    LessonPanel {
        layer: over; dock: bottom; width: 100%; display: none;
        background: $page; border: heavy $good; border-title-color: $good;
    }
    """

    def __init__(self) -> None:
        super().__init__("lesson")

    def paint(self, lesson: LessonView | None, width: int, rows: int, below: int, *, free: int = 0) -> None:
        """Show a lesson in the box, or close it if `lesson` is None.

        It takes at most `rows` rows of `width` columns, `below` rows above the bottom of the screen. `free`:
        rows that it may cover; if it needs more, it leaves out the rulebook's section.
        """
        self.display = lesson is not None
        if lesson is None:
            return
        said = lesson_rows(lesson, width)
        if len(said) + _EDGE > free:
            said = said[:-1]
        write_edge(
            self,
            title=tr("LEARN: {title}", title=lesson.title),
            subtitle=tr("enter: understood · F6 no more lessons"),
        )
        self.styles.height = min(rows, len(said) + _EDGE)
        self.styles.margin = (0, 0, below, 0)
        self.show(Content("\n").join(said[: rows - _EDGE]))


def lesson_rows(lesson: LessonView, width: int) -> list[Content]:
    """Rows of text of a lesson in its box: the text, then the rulebook's section.

    `width`: columns of the box with its borders.
    """
    wrapped = textwrap.wrap(lesson.text, max(1, width - _EDGE - 2))
    return [
        *(Content.styled(f" {row}", "bold") for row in wrapped),
        Content.styled(f" {lesson.section}", "$muted"),
    ]


def least_lesson_rows(lesson: LessonView | None, width: int) -> int:
    """Least rows of the box with a lesson, borders included; 0 without a lesson.

    The rulebook's section is then left out. `width`: columns of the box.
    """
    return len(lesson_rows(lesson, width)) - 1 + _EDGE if lesson is not None else 0
