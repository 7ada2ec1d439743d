"""Writes the page for a first evening into a folder where a family finds it."""

from pathlib import Path

from companion.core.config import state_dir
from companion.core.errors import BadInputError
from companion.core.files import write_new
from companion.dashboard.labels import title, variant_title
from vision.mat_geometry import Mat

PAGE_FILE = "first-evening-{game}.pdf"
_OTHERS = 9
"""End (excluded) of the numbers, from 2 on, that are put before a file's name already taken."""


def printed_page(mat: Mat, game: str, variant: str) -> str:
    """Write the page for a first evening into a file; return its path.

    The current folder is tried first, then the folder of journals. If neither can be written, the command that
    writes the page is returned. A file with the same content is used again; any other file stays as it is.
    """
    # Imported late, because the PDF library is needed only here.
    from calibration.sheets.evening_sheet import evening_pdf
    from calibration.sheets.print_sizes import PAPERS

    page = evening_pdf(mat, PAPERS["a4"], f"{title(game)} ({variant_title(variant)})")
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
