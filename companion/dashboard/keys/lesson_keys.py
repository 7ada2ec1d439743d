"""The keys for lessons: switched on and off, read and put away, as a hint is."""

from collections.abc import Sequence

from textual.binding import Binding

from companion.core.language import tr
from companion.dashboard.plain.plain_lines import lesson_lines
from companion.dashboard.sound import Sound
from companion.dashboard.table_view import TableView
from companion.session.stream.events import LessonView


class LessonKeys:
    """Keys that show and close the lessons for beginners.

    A lesson is a text on one rule of the game. Each is spoken once. `on`: True if lessons are wanted from the
    start.
    """

    BINDINGS: Sequence[Binding] = (
        Binding("escape", "no_hint", "put the hint away"),
        Binding("f6", "teach", "explain each rule when it first matters"),
        Binding("enter", "understood", "a lesson was read"),
    )

    def __init__(self, view: TableView, sound: Sound, *, on: bool) -> None:
        self._view, self._sound = view, sound
        self._lesson_said: LessonView | None = None
        view.model.lessons.on = on

    def action_no_hint(self) -> None:
        """Close the shown hint; without one, close the lesson."""
        model = self._view.model
        if model.advice is None:
            model.lessons.read()
        model.advice = None
        self._view.table_screen.paint()

    def action_teach(self) -> None:
        """Switch beginners' lessons on or off; keep this choice."""
        lessons, hello = self._view.model.lessons, self._view.model.welcome
        lessons.on = not lessons.on
        lessons.begin(hello.lessons if lessons.on and hello else ())
        if lessons.on and self._view.model.table is not None:
            lessons.hear(self._view.model.table)
        if lessons.on and hello is not None and not hello.lessons:
            return self._view.notice(tr("There are no lessons for this game yet."))
        self._view.keep(lessons.on, "screen", "teach")
        return self._view.notice(
            tr("Each rule is explained when it first matters. F6: no more") if lessons.on else tr("No lessons.")
        )

    def action_understood(self) -> None:
        """Close the lesson that is shown, and show the next one if it is due."""
        lessons = self._view.model.lessons
        if lessons.due is None:
            return
        lessons.read()
        if self._view.model.table is not None:
            lessons.hear(self._view.model.table)
        self.say()
        self._view.table_screen.paint()

    def say(self) -> None:
        """Speak the shown lesson, unless it was spoken already."""
        due = self._view.model.lessons.due
        if due is not None and due is not self._lesson_said:
            self._sound.tell(lesson_lines(due))
        self._lesson_said = due
