"""`companion doctor`: what works on this machine, what does not, and the fix, a line each."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.core.option_types import FILE_PATH
from companion.core.printable import say
from companion.session.system_check import Finding, examine

if TYPE_CHECKING:
    from companion.sensing.board_check import BoardReport


@click.command()
@click.option("--config", type=FILE_PATH, help="Settings file (TOML).")
@click.option("--camera", help="Camera to try; the configured one otherwise.")
@click.option("--port", help="Port to try; the configured one otherwise.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(config: Path | None, camera: str | None, port: str | None, as_json: bool) -> None:
    """Say what works, what does not, and how to mend it."""
    findings: list[Finding] = []
    boards: list[BoardReport] = []
    marks = {"ok": "ok     ", "missing": "missing", "broken": "BROKEN "}
    for finding in examine(config, camera, port, boards.append):
        findings.append(finding)
        if not as_json:
            say(f"{marks[finding.state]}  {finding.name}: {finding.detail}")
            if finding.fix:
                say(f"         -> {finding.fix}")
    if as_json:
        found = {
            "findings": [finding._asdict() for finding in findings],
            "board": boards[0] if boards else None,
        }
        click.echo(msgspec.json.encode(found))
    if any(finding.state == "broken" for finding in findings):
        raise SystemExit(1)
