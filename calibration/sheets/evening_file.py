"""Writes the page of a first evening into a folder where a family finds it."""

from pathlib import Path

from companion.core.config import state_dir
from companion.core.errors import BadInputError
from companion.core.files import write_new
from companion.core.mat_geometry import Mat

PAGE_FILE = "first-evening-{game}.pdf"
_OTHERS = 9
"""Names with a number in front that are tried if another file has the name: up to 8."""


def printed_page(mat: Mat, game: str, variant: str) -> str:
    """Write the page of a first evening.

    Returns its path, or the command that writes it.

    The present folder comes first, then that of the journals. An equal page is reused, any other file left
    alone.
    """
    # Imported late, because the PDF library is needed only here.
    from calibration.sheets.evening_sheet import evening_pdf
    from calibration.sheets.print_sizes import PAPERS

    page = evening_pdf(mat, PAPERS["a4"], f"{game.replace('-', ' ').title()} ({variant})")
    name = PAGE_FILE.format(game=game)
    for folder in (Path.cwd(), state_dir()):
        for path in (folder / name, *(folder / f"{n}-{name}" for n in range(2, _OTHERS))):
            try:
                if path.exists() and path.read_bytes() == page:
                    return str(path)
                folder.mkdir(parents=True, exist_ok=True)
                write_new(path, page, overwrite=False)
            except (BadInputError, OSError):
                continue
            return str(path)
    return "companion sheets --only evening --out FILE.pdf"
