"""Full screens for the verdict on a claim and for the final score."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Key
from textual.widgets import Static

from companion.dashboard.labels import BADGE_STYLES, BADGES, FACES, VERDICT_STYLES
from companion.dashboard.screens.close_once import PassingModal
from companion.dashboard.widgets.big_letters import big, big_width
from companion.session.events import Claimed, Score

VERDICT_S = 8.0
"""VERDICT_S: time for which a verdict is shown (s)."""


class Moment(PassingModal[None]):
    """A full screen that any key closes."""

    DEFAULT_CSS = """
    Moment { align: center middle; background: ansi_default; }
    Moment #frame { width: 100%; height: 100%; content-align: center middle; text-align: center; }
    """
    frame_style: ClassVar[str] = ""

    def compose(self) -> ComposeResult:
        yield Static(id="frame")

    def on_mount(self) -> None:
        """Write the page."""
        self.on_resize()

    def on_resize(self) -> None:
        """Another size may have room for bigger letters."""
        self.query_one("#frame", Static).update(self.page(*self.app.size))

    def page(self, width: int, height: int) -> Content:
        """The whole page as text."""
        raise NotImplementedError

    def on_key(self, event: Key) -> None:
        """Any key closes it, and does nothing else."""
        event.stop()
        event.prevent_default()
        self.leave()

    def on_click(self) -> None:
        """A click closes it, too."""
        self.leave()


def _words(text: str, width: int, height: int, style: str) -> list[Content]:
    """`text` in the biggest letters that fit, with each word on a row of its own if necessary."""
    for scale in (2, 1, 0):
        for rows in ([text], text.split()):
            tall = len(rows) * (5 * max(1, scale) + 1)
            if max(big_width(row, scale) for row in rows) <= width - 4 and tall <= height // 2:
                return [Content.styled(line, style) for row in rows for line in (*big(row, scale), "")]
    return [Content.styled(text, style)]


class VerdictScreen(Moment):
    """PROVED, REFUTED or CANNOT TELL, with the subject, the reason, and the card to show."""

    def __init__(self, claimed: Claimed, seconds: float = VERDICT_S) -> None:
        super().__init__()
        self.claimed = claimed
        self.seconds = seconds
        self.expired = False

    def on_mount(self) -> None:
        """A verdict closes by itself: nobody has to touch anything to play on."""
        super().on_mount()
        self.set_timer(self.seconds, self._expire)

    def _expire(self) -> None:
        self.expired = True
        self.leave()

    def on_screen_resume(self) -> None:
        """Its time may have run out under another screen."""
        if self.expired:
            self.leave()

    def page(self, width: int, height: int) -> Content:
        """The whole page as text."""
        said = self.claimed
        colour = VERDICT_STYLES.get(said.verdict, "ansi_default")
        crown, face, _ = FACES.get(said.badge, FACES[""])
        rows = [
            Content.styled(crown, "bold"),
            Content.styled(face, "bold"),
            Content.styled(said.name, "bold"),
            Content(""),
            *_words(said.verdict.upper(), width, height, f"bold {colour}"),
            Content.styled(f"  {said.text}  ", "reverse bold"),
            Content(""),
            *(Content(reason) for reason in said.reasons),
        ]
        if said.show:
            rows += [Content(""), Content.styled(f"Show the camera {said.show}.", "bold")]
        rows += [Content(""), Content.styled("any key: back to the table", "dim")]
        return Content("\n").join(rows)


class ScoreScreen(Moment):
    """The final result, its sentence, and the state of each place."""

    def __init__(self, score: Score) -> None:
        super().__init__()
        self.score = score

    def page(self, width: int, height: int) -> Content:
        """The whole page as text."""
        score = self.score
        rows = [
            *_words(score.headline, width, height, "bold ansi_green"),
            Content.styled(score.counted, "bold"),
            Content(""),
            Content.styled(score.text, "bold"),
            Content(""),
        ]
        longest = max((len(view.name) for view in score.places), default=0)
        for view in score.places:
            face = FACES.get(view.badge, FACES[""])[1]
            word = BADGES.get(view.badge, view.badge.upper())
            text = f"{view.name:<{longest}}  {face:<10}  {word:<6}"
            rows.append(Content.styled(text, BADGE_STYLES.get(view.badge, "")))
        turns = f"{score.turns} turn{'' if score.turns == 1 else 's'}"
        rows += [Content(""), Content.styled(f"{turns} · any key: look at the table again", "dim")]
        return Content("\n").join(rows)
