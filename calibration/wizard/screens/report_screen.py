"""Last screen of the wizard: the decision, what to repair, what the rig cannot prove."""

import textwrap
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.dom import DOMNode
from textual.events import Resize
from textual.screen import ModalScreen
from textual.widgets import Static

from calibration.doctor.check_words import VERDICTS, check_called, measured
from calibration.wizard.setup_run import TITLES, SetupReport
from calibration.wizard.step_result import Decision, StepResult, Verdict
from companion.core.language import localized, text, tr

MARKS = {
    Verdict.GOOD: ("✔", "good"),
    Verdict.USABLE: ("~", "warn"),
    Verdict.NOT_GOOD: ("✘", "bad"),
    Verdict.NOT_TESTED: ("-", "muted"),
}
"""Verdict -> its mark, and its colour in the theme."""
_ENDS = {
    Decision.GO: text("Go. This rig has proved itself."),
    Decision.GO_WITHOUT: text("Go, but without: {parts}"),
    Decision.NO_GO: text("No go yet. Mend first:"),
}


def name_keys(node: DOMNode) -> None:
    """Translate the descriptions of a screen's keys, which its footer shows."""
    keys = node._bindings.key_to_bindings
    for key, bindings in keys.items():
        keys[key] = [replace(one, description=localized(one.description)) for one in bindings]


class ReportScreen(ModalScreen[None]):
    """Screen with the decision on the rig, the results of all steps, and the fixes."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,enter,q", "app.pop_screen", text("back"))]
    DEFAULT_CSS = """
    ReportScreen { align: center middle; background: $page; }
    ReportScreen > VerticalScroll { width: 90%; height: auto; max-height: 90%; padding: 1 2; }
    ReportScreen > VerticalScroll { border: round $accent; }
    ReportScreen Static { height: auto; }
    """

    def __init__(self, report: SetupReport) -> None:
        super().__init__()
        name_keys(self)
        self._report = report

    def compose(self) -> ComposeResult:
        """Lay out the screen: the report, which can be scrolled."""
        with VerticalScroll():
            yield _Rows(report_words(self._report))


class _Rows(Static):
    """Text in rows on a screen.

    Unlike Textual's own, it keeps indentation and does not break at no-break spaces.
    """

    def __init__(self, words: str) -> None:
        super().__init__(words, markup=False)
        self._words = words

    def on_resize(self, event: Resize) -> None:
        """Break the rows for the new width."""
        lines = self._words.split("\n")
        indents = [" " * (len(line) - len(line.lstrip())) for line in lines]
        rows = [
            "\n".join(textwrap.wrap(line, event.size.width, subsequent_indent=indent))
            for line, indent in zip(lines, indents, strict=True)
        ]
        self.update("\n".join(rows))


def decision_words(report: SetupReport) -> str:
    """Sentence with a report's decision on the rig, in the reader's language."""
    return _ENDS[report.decision].of(parts=tuple(map(check_called, report.without)))


def report_words(report: SetupReport) -> str:
    """Report on a rig as lines of text: decision, every step, every fix."""
    lines = [localized(decision_words(report)), ""]
    if report.left and report.decision is not Decision.NO_GO:
        # Nobody may think a rig ready while most of it is unmeasured.
        lines = [tr("Not finished yet:"), *(f"  {localized(TITLES[name])}" for name in report.left), ""]
    for result in report.steps:
        lines.append(result_line(result))
        lines += [
            f"    {localized(check.said)} -> {localized(check.fix)}" for check in result.checks if check.fault
        ]
    if report.unproved:
        lines += ["", tr("What this rig does not prove:"), *(f"  {localized(one)}" for one in report.unproved)]
    if report.profile:
        lines += ["", tr("Kept in {file}", file=report.profile)]
    lines += ["", tr("Escape: back to the steps")]
    return "\n".join(lines)


def result_line(result: StepResult) -> str:
    """Line of text with a step's mark, title, verdict and number."""
    number = measured(result.number, result.unit)
    title, verdict = localized(TITLES[result.name]), localized(VERDICTS[result.verdict])
    return f"{MARKS[result.verdict][0]} {title:30} {verdict:10} {number}".rstrip()
