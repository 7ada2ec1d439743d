"""A screen part that repaints only rows with changed text."""

from collections.abc import Callable
from typing import ParamSpec

from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from companion.core.language import current

P = ParamSpec("P")


class Panel(Widget):
    """Part of a screen with rows of text, which repaints only changed rows.

    `paints` counts its repaints. `name`: id of the widget.
    """

    DEFAULT_CSS = """
    Panel { height: 100%; text-wrap: nowrap; text-overflow: clip; }
    """

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.set_reactive(Widget.auto_links, False)  # what can be clicked keeps its own styles
        self.shown = Content("")
        """Text that was written last."""
        self.paints = 0
        self._drawn_of: tuple[object, ...] = ()
        """Language, drawing function and values of the last call of `draw`."""

    def draw(self, drawing: Callable[P, Content], *values: P.args, **more: P.kwargs) -> None:
        """Write on the panel the text that `drawing(*values, **more)` returns.

        `drawing` is not called if it, all values and the language are those of the last call. For pictures
        that take longer to draw than their values take to compare.
        """
        drawn_of = (current().code, drawing, values, more)
        if drawn_of != self._drawn_of:
            self.show(drawing(*values, **more))
            self._drawn_of = drawn_of

    def show(self, content: Content) -> None:
        """Write a text on the panel, unless already there."""
        self._drawn_of = ()
        if content.is_same(self.shown):
            return
        before, rows = (one.split("\n", allow_blank=True) for one in (self.shown, content))
        self.shown = content
        self.paints += 1
        # Rows of text are rows of the widget: nothing wraps.
        pairs = enumerate(zip(before, rows, strict=True)) if len(before) == len(rows) else ()
        width = self.size.width
        self.refresh(*(Region(0, y, width, 1) for y, (old, new) in pairs if not new.is_same(old)))

    def render(self) -> Content:
        """Text that the panel shows: the one that was written last."""
        return self.shown


def write_edge(widget: Widget, *, title: str = "", subtitle: str = "") -> None:
    """Write plain text on a widget's upper (`title`) and lower border (`subtitle`).

    Textual reads a plain `str` there as markup: text from outside could end the program with a wrong tag, or
    make a part of the border clickable.
    """
    for name, text in (("border_title", title), ("border_subtitle", subtitle)):
        content = Content(text)
        if getattr(widget, name) != content.markup:
            setattr(widget, name, content)
