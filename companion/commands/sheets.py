"""`companion sheets`: stickers, tile markers and mat, as printable PDF."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.files import write_new
from companion.core.language import choose, plural, text, tr, use
from companion.core.option_types import FILE_PATH, force_option, language_option
from companion.core.printable import printable, say
from companion.dashboard.labels import title, variant_title
from companion.games.registry import (
    DEFAULT_GAME,
    GAME_NAMES,
    check_table,
    first_variant,
    load_game,
)

if TYPE_CHECKING:
    from companion.games.appearance import PhysicalCard
    from vision.mat_geometry import Mat

PAPER_NAMES = ("a4", "letter", "a3", "a2", "a1")
"""Sizes of paper that a printer may have: keys of PAPERS in calibration.sheets.print_sizes."""
CAMERA_NAMES = ("1080p", "4k", "pi3")
"""Cameras that may read the stickers: keys of CAMERAS in calibration.sheets.print_sizes."""
PART_NAMES = ("cover", "stickers", "tiles", "mat")
"""Parts of the PDF; --only prints one alone."""
MAT_NAMES = ("sheets", "banner", "corners")
"""Prints of the mat: sheets to glue, one long page, or its four corners alone."""
LENS, EVENING, RIG = "lens", "evening", "rig"
"""Values of --only for another PDF.

LENS: a sheet to measure a lens. EVENING: the page with four corner cards for a first evening. RIG: drawings of
a rig.
"""


def _choice(names: tuple[str, ...]) -> click.Choice[str]:
    """Option type for one of `names`, in any case.

    Capital and small letters are equal.
    """
    return click.Choice(names, case_sensitive=False)


@click.command()
@click.option("--game", default=DEFAULT_GAME, show_default=True, help=f"{', '.join(GAME_NAMES)}.")
@click.option("--variant", help="basic (or the game's first) has every card, 5+ its own alone.")
@click.option(
    "--paper", type=_choice(PAPER_NAMES), default="a4", show_default=True, help="The printer's paper."
)
@click.option(
    "--camera",
    type=_choice(CAMERA_NAMES),
    default="1080p",
    show_default=True,
    help="What will read it; finer cameras need smaller stickers.",
)
@click.option(
    "--mat",
    "mat_as",
    type=_choice(MAT_NAMES),
    default="sheets",
    show_default=True,
    help="The mat: sheets to glue, one long page for a copy shop's plotter, or its corners for a cloth.",
)
@click.option("--only", type=_choice((*PART_NAMES, LENS, EVENING, RIG)),
              help="One part instead of all; the sheet that measures a lens; the page of a first evening, "
              "four corner cards on a cloth; or drawings of a rig's wood, on A4.")  # fmt: skip
@click.option("--out", metavar="FILE.pdf", type=FILE_PATH, help="Where to write it.")
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@language_option
def sheets(
    game: str,
    variant: str | None,
    paper: str,
    camera: str,
    mat_as: str,
    only: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Print stickers for every card, markers for tiles and other pieces, and the table mat.

    Print the PDF at 100 % on one side of the paper and measure the line at the foot of a sheet: 100 mm.
    """
    use(choose(load_config().language))
    if only == LENS:
        _lens_sheet(paper, out, force, as_json)
        return
    variant, heading, cards, mat = _printed(game, variant, only)
    if only == EVENING:
        _evening_sheet(heading, mat, paper, out, force, as_json)
        return
    if only == RIG:
        _rig_drawings(mat, out, force, as_json)
        return
    # OpenCV and the PDF library take longer to load than the rest of the command line.
    from calibration.camera_height import in_words
    from calibration.sheets.pdf_writer import pdf_bytes
    from calibration.sheets.print_sizes import CAMERAS, PAPERS
    from calibration.sheets.sheet_report import report
    from calibration.sheets.sheet_set import PARTS, make_book

    parts = PARTS if only is None else (only,)
    book = make_book(heading, cards, mat, PAPERS[paper], CAMERAS[camera], parts, mat_as)
    style = mat_as if "mat" in parts and mat_as != "sheets" else ""
    path = out or Path("-".join(filter(None, (_slug(game), _slug(variant), only, style, paper))) + ".pdf")
    write_new(path, pdf_bytes(book.sheets, f"{book.title}: {', '.join(parts)}"), overwrite=force)
    listed = report(book, printable(str(path)), paper, camera, mat)
    if as_json:
        click.echo(json.dumps(listed))
        return
    counts = (
        plural("{n} page", "{n} pages", n=len(book.sheets)),
        plural("{n} sticker", "{n} stickers", n=listed["stickers"]),
        plural("{n} marker", "{n} markers", n=listed["markers"]),
    )
    say(tr("{file}: {counts}", file=listed["file"], counts=counts))
    say(tr("Print at 100 %, on one side; the line at the foot of every sheet measures 100 mm."))
    say(tr("{Sentence}.", sentence=in_words(mat)))


def _lens_sheet(paper: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Write the PDF that measures a lens.

    `out`: its file; None: named by `paper`. `force`: an existing file is replaced.
    """
    from calibration.sheets.lens_sheet import lens_sheet
    from calibration.sheets.pdf_writer import pdf_bytes
    from calibration.sheets.print_sizes import PAPERS

    path = out or Path(f"lens-{paper}.pdf")
    write_new(path, pdf_bytes([lens_sheet(PAPERS[paper])], tr("Lens sheet")), overwrite=force)
    if as_json:
        click.echo(json.dumps({"file": printable(str(path)), "paper": paper}))
        return
    say(tr("{file}: glue it flat on cardboard, then: companion setup lens", file=printable(str(path))))


def _evening_sheet(title: str, mat: "Mat", paper: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Write the PDF with four corner cards of a mat.

    `title`: its heading. `out`: its file; None: named by `paper`. `force`: an existing file is replaced.
    """
    from calibration.sheets.evening_sheet import CUTS, evening_pdf
    from calibration.sheets.print_sizes import PAPERS

    path = out or Path(f"first-evening-{paper}.pdf")
    write_new(path, evening_pdf(mat, PAPERS[paper], title), overwrite=force)
    if as_json:
        click.echo(json.dumps({"file": printable(str(path)), "paper": paper, "pages": 1, "cuts": CUTS}))
        return
    say(tr("{file}: four corner cards, then: companion play --camera 0", file=printable(str(path))))


def _rig_drawings(mat: "Mat", out: Path | None, force: bool, as_json: bool) -> None:
    """Write the PDF with drawings of a mat's rig.

    The drawings show arm, pad and scales. `out`: its file; None: a usual name. `force`: an existing file is
    replaced.
    """
    from calibration.drawings.rig_plans import rig_plans
    from calibration.sheets.pdf_writer import pdf_bytes

    plans = rig_plans(mat)
    path = out or Path("rig-drawings-a4.pdf")
    write_new(path, pdf_bytes(plans, tr("Drawings of a rig")), overwrite=force)
    if as_json:
        names = [one.name for one in plans]
        click.echo(json.dumps({"file": printable(str(path)), "paper": "a4", "drawings": names}))
        return
    say(tr("{file}: arm, pad and scales, drawn to scale; print at 100 %", file=printable(str(path))))


def _printed(
    game: str, variant: str | None, only: str | None
) -> "tuple[str, str, tuple[PhysicalCard, ...], Mat]":
    """(variant, heading, cards, mat) of a game to print.

    `variant`: None or "": "basic", or else the game's first. BadInputError if game or variant does not
    exist, or if the game lacks the part `only`.
    """
    rules = load_game(game)
    variant = variant or first_variant(rules, "basic")
    check_table(rules, variant, rules.variants.get(variant, (0,))[0])
    heading = f"{title(rules.name)} ({variant_title(variant)})"
    cards, mat = rules.cards(variant), rules.mat(variant)
    if only == "tiles" and all(card.marker is None for card in cards):
        raise BadInputError(text("has no tiles"), where=game, next_step=text("leave out --only"))
    from calibration.drawings.sizes import stations_of

    if only == RIG and not stations_of(mat):
        raise BadInputError(
            text("is followed by a camera alone: there is no rig to build"),
            where=game,
            next_step=text("leave out --only"),
        )
    return variant, heading, cards, mat


def _slug(text: str) -> str:
    """A text as part of a file name: small letters, digits and "-" alone."""
    return re.sub(r"[^a-z0-9]+", "-", text.replace("+", "-plus").lower()).strip("-")
