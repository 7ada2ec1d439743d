"""A part of the screen that repaints only when its text has changed."""

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static


class Panel(Static):
    """A Static of fixed size. `paints` counts its repaints."""

    DEFAULT_CSS = """
    Panel { height: 100%; text-wrap: nowrap; text-overflow: clip; }
    """

    def __init__(self, name: str) -> None:
        super().__init__("", id=name)
        self.set_reactive(Widget.auto_links, False)  # what can be clicked keeps its own styles
        self.shown = Content("")
        self.paints = 0

    def show(self, content: Content) -> None:
        """Write `content`, unless it is already there."""
        if content.is_same(self.shown):
            return
        self.shown = content
        self.paints += 1
        self.update(content, layout=False)


def write_edge(widget: Widget, *, title: str = "", subtitle: str = "") -> None:
    """Write on the upper and the lower border of a widget as plain text.

    Textual reads a plain `str` there as markup: text from outside could end the program with a wrong tag, or
    make a part of the border clickable.
    """
    for name, text in (("border_title", title), ("border_subtitle", subtitle)):
        content = Content(text)
        if getattr(widget, name) != content.markup:
            setattr(widget, name, content)
