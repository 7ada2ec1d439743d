"""The panel below every screen in which the choices of a person with one switch light up."""

from collections.abc import Sequence

from textual.content import Content

from companion.core.language import localized, tr
from companion.dashboard.one_switch.scanner import Choice, Scanner
from companion.dashboard.widgets.panel import Panel, write_edge

LIT, UNLIT = "bold $accent-ink on $accent", "$words"
EDGE = 2
"""EDGE: rows of the panel's upper and lower border together."""


class ScanPanel(Panel):
    """Panel below a screen with the choices of a scan.

    A scan lights choices, or whole rows of them, one after another, for a person who has a single switch key.
    """

    DEFAULT_CSS = """
    ScanPanel {
        layer: scan; dock: bottom; width: 100%; height: 3;
        background: $page; border: heavy $accent; border-title-color: $accent;
    }
    """

    def __init__(self) -> None:
        super().__init__("scan")

    def paint(self, scanner: Scanner, title: str, width: int, most: int) -> int:
        """Show the choices of a scan on at most `most` rows, borders included.

        Returns the rows used. If rows are short, those near the lit choice stay. `title`: words in the upper
        border. `width`: columns of the panel.
        """
        rows, lit_at = scan_rows(scanner.rows, scanner.lit, width - 2)
        room = max(1, most - EDGE)
        first = max(0, min(lit_at - room // 2, len(rows) - room))
        rows = rows[first : first + room]
        rests = tr("press: begin") if scanner.resting else ""
        write_edge(self, title=f" {title} " if title else "", subtitle=rests)
        self.show(Content("\n").join(rows))
        self.styles.height = len(rows) + EDGE
        return len(rows) + EDGE


def scan_rows(
    rows: Sequence[Sequence[Choice]], lit: tuple[int, int | None] | None, width: int
) -> tuple[list[Content], int]:
    """Choices of a scan as text: (rows of text, index of the lit row).

    `rows`: rows of choices; each begins a new row of text, of at most `width` columns, and may take several.
    `lit`: as `Scanner.lit`. Lit choices also have an arrow, for terminals without colours. The index (from 0)
    is that of the first row of text with a lit choice; 0 for none.
    """
    lines: list[Content] = []
    lit_at = 0
    for number, row in enumerate(rows):
        line = Content("")
        for place, choice in enumerate(row):
            on = lit is not None and lit[0] == number and lit[1] in (None, place)
            words = localized(choice.words)
            chip = Content.styled(f"{'►' if on else ' '}{words} ", LIT if on else UNLIT)[:width]
            if line and line.cell_length + 1 + chip.cell_length > width:
                lines.append(line)
                line = Content("")
            if on and lit is not None and (lit[1] is None) <= (place == 0):
                lit_at = len(lines)
            line = Content.assemble(line, " ", chip) if line else chip
        lines.append(line)
    return lines, lit_at
