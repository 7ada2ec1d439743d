"""Writes the page of a first evening where somebody finds it."""

from pathlib import Path

from companion.core.config import state_dir
from companion.core.errors import BadInputError
from companion.core.files import write_new
from companion.core.mat_geometry import Mat

PAGE_FILE = "first-evening-{game}.pdf"
_OTHERS = 9
"""_OTHERS: names with a number in front that are tried where another file has the name."""


def printed_page(mat: Mat, game: str, variant: str) -> str:
    """Write the page into this folder, or where the program keeps its journals; its path, or how to write it.

    A page that is there already is taken. A file with other content is left alone.
    """
    # The PDF library loads only where something is printed.
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
