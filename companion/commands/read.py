"""`companion read`: codes, markers and enrolled cards in pictures."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.config import art_file, load_config
from companion.core.errors import BadInputError
from companion.core.files import check_free, write_new
from companion.core.language import choose, localized, text, tr, use
from companion.core.option_types import FILE_PATH, force_option, language_option
from companion.core.printable import say, shown_path
from companion.sensing.vision_words import in_words

if TYPE_CHECKING:
    from vision.photos.picture_files import Picture, PictureReading, Recogniser

FOUND = {
    "codes": text("code {what} at {x}, {y}, {stage}, quality {quality}"),
    "markers": text("marker {what} at {x}, {y}, {stage}, quality {quality}"),
    "cards": text("card {what} at {x}, {y}, {stage}, quality {quality}"),
}
"""Kind of finding in a picture ("codes", "markers" or "cards") -> the line about it.

{what}: text or number. {x}, {y}: the middle (px). {stage}: method that read it. {quality}: number.
"""
_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
"""Ends of file names of pictures that can be written."""


@click.command()
@click.argument("images", nargs=-1, required=True, metavar="IMAGE...", type=FILE_PATH)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--annotate",
    "out",
    metavar="OUT",
    type=FILE_PATH,
    help="Write the picture with all findings outlined; a folder if there are several pictures.",
)
@click.option(
    "--book",
    metavar="FILE",
    type=FILE_PATH,
    help="The file of enrolled cards, if not the usual.",
)
@click.option(
    "--thorough",
    is_flag=True,
    help="Ask a second decoder where something may be left, and search markers in every picture.",
)
@force_option
@language_option
def read(
    images: tuple[Path, ...], as_json: bool, out: Path | None, book: Path | None, thorough: bool, force: bool
) -> None:
    """Read every code, marker and enrolled card in pictures.

    Corners are pixels of the upright picture, clockwise from the code's own upper left. Pictures that
    cannot be read are named, the others read all the same; the exit status then is 2.
    """
    use(choose(load_config().language))
    # Loading OpenCV takes longer than all the rest of the command line.
    from companion.sensing.picture_report import printed, report
    from vision.codes.zbar_process import SecondOpinion
    from vision.photos.picture_files import load_picture, read_all

    if out is not None:
        _check_out(out, images)
        for number, image in enumerate(images):
            check_free(_target(out, image, images[:number]), overwrite=force, option="--annotate")
    reports: list[dict[str, Any]] = []
    failed = False
    recognise = None
    try:
        recognise = _recogniser(book or art_file())
    except BadInputError as error:
        # Codes and markers are read without the book.
        failed = True
        say(f"companion: {error}", err=True)
    with ExitStack() as stack:
        second = stack.enter_context(SecondOpinion()) if thorough else None
        for number, image in enumerate(images):
            try:
                target = None if out is None else _target(out, image, images[:number])
                with in_words():
                    picture = load_picture(image, coloured=recognise is not None or out is not None)
                    found = read_all(picture, recognise, second, printed())
                if target is not None:
                    _write(target, picture, found, force=force)
            except BadInputError as error:
                failed = True
                reports.append(
                    {"file": shown_path(image), "error": str(error), "codes": [], "markers": [], "cards": []}
                )
                say(f"companion: {error}", err=True)
                continue
            reports.append(report(shown_path(image), picture, found))
            if not as_json:
                _print(reports[-1])
    if as_json:
        click.echo(json.dumps({"pictures": reports}))
    if failed:
        raise SystemExit(2)


def _check_out(out: Path, images: tuple[Path, ...]) -> None:
    """Check that annotated pictures can be written to `out`.

    BadInputError if there are several pictures and `out` is no folder, or if `out` is itself one of `images`.
    """
    if len(images) > 1 and not out.is_dir():
        raise BadInputError(
            text("several pictures need a folder"),
            where=shown_path(out),
            next_step=text("make it, or name one"),
        )
    if any(out.exists() and image.exists() and out.samefile(image) for image in images):
        raise BadInputError(
            text("is the picture itself"), where=shown_path(out), next_step=text("annotate into another file")
        )


def _target(out: Path, image: Path, before: tuple[Path, ...]) -> Path:
    """File for the annotated copy of the picture `image`.

    It is `out` itself or, if `out` is a folder, NAME-read.png in it. `before`: pictures annotated earlier; an
    equal NAME gets -2, -3 and so on. BadInputError if `out` is a file of no picture format.
    """
    if not out.is_dir():
        if out.suffix.lower() not in _SUFFIXES:
            raise BadInputError(
                text("no kind of picture"),
                where=shown_path(out),
                next_step=text("end the name in .png or .jpg"),
            )
        return out
    same = sum(other.stem == image.stem for other in before)
    return out / f"{image.stem}-read{f'-{same + 1}' if same else ''}.png"


@in_words()
def _recogniser(path: Path) -> "Recogniser | None":
    """Function that finds enrolled cards in a picture.

    `path`: file of enrolled cards. None if no card is enrolled. BadInputError if the file is damaged.
    """
    from vision.art.art_book import load_book
    from vision.art.art_recogniser import recognise

    known = load_book(path)
    return (lambda image: recognise(image, known)) if known.views else None


def _print(report: dict[str, Any]) -> None:
    """Print what was found in a picture: its size, then a line for each code, marker and card.

    `report`: one entry of "pictures" in the JSON.
    """
    from vision.photos.picture_annotations import one_line

    counted = {kind: len(report[kind]) for kind in ("codes", "markers", "cards")}
    size = {"file": report["file"], "width": report["width"], "height": report["height"]}
    say(
        tr(
            "{file}: {width} x {height} px; codes: {codes}, markers: {markers}, cards: {cards}",
            **size,
            **counted,
        )
    )
    for kind, name in (("codes", "text"), ("markers", "id"), ("cards", "text")):
        for one in report[kind]:
            xs, ys = zip(*one["corners"], strict=True)
            card = f" ({one['card']})" if one.get("card") else ""
            found = FOUND[kind].of(
                what=f"{one_line(str(one[name]))}{card}",
                x=round(sum(xs) / 4),
                y=round(sum(ys) / 4),
                stage=one["stage"],
                quality=f"{one['quality']:g}",
            )
            say("  " + localized(found))


def _write(path: Path, picture: "Picture", found: "PictureReading", *, force: bool) -> None:
    """Write a copy of a picture with all findings outlined.

    `path`: its file, whose ending gives the format. `force`: an existing file is replaced.
    """
    import cv2

    from vision.photos.picture_annotations import annotated

    data = cv2.imencode(path.suffix.lower(), annotated(picture, found))[1]
    write_new(path, data.tobytes(), overwrite=force, option="--annotate")
