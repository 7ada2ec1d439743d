"""`companion read`: what the camera's code finds in pictures."""

import json
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.config import art_file
from companion.core.errors import BadInputError
from companion.core.option_types import FILE_PATH
from companion.core.printable import say

if TYPE_CHECKING:
    from companion.games.api import TableGame
    from vision.codes.code_reader import Corners
    from vision.photos.picture_files import Found, Picture, Recogniser
    from vision.photos.table_photo import TablePrint

_STICKER_MM = (30.0, 20.0, 15.0)
"""Sides that stickers may have, mm: the largest, that for a 1080p camera, and the least that are printed."""
_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")


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
@click.option("--thorough", is_flag=True, help="Ask a second decoder, too, where something may be left.")
def read(images: tuple[Path, ...], as_json: bool, out: Path | None, book: Path | None, thorough: bool) -> None:
    """Read every code, marker and enrolled card in pictures.

    Corners are pixels of the upright picture, clockwise from the code's own upper left. Pictures that
    cannot be read are named, the others read all the same; the exit status then is 2.
    """
    # Loading OpenCV takes longer than all the rest of the command line.
    from vision.codes.zbar_process import SecondOpinion
    from vision.photos.picture_files import load_picture, read_all, shown

    if out is not None:
        _check_out(out, images)
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
                picture = load_picture(image)
                found = read_all(picture, recognise, second, _printed())
                if target is not None:
                    _write(target, picture, found)
            except BadInputError as error:
                failed = True
                reports.append(
                    {"file": shown(image), "error": str(error), "codes": [], "markers": [], "cards": []}
                )
                say(f"companion: {error}", err=True)
                continue
            reports.append(_report(shown(image), picture, found))
            if not as_json:
                _print(reports[-1])
    if as_json:
        click.echo(json.dumps({"pictures": reports}))
    if failed:
        raise SystemExit(2)


def _check_out(out: Path, images: tuple[Path, ...]) -> None:
    """BadInputError before anything is read, rather than after."""
    from vision.photos.picture_files import shown

    if len(images) > 1 and not out.is_dir():
        raise BadInputError(
            "several pictures need a folder", where=shown(out), next_step="make it, or name one"
        )
    if any(out.exists() and image.exists() and out.samefile(image) for image in images):
        raise BadInputError("is the picture itself", where=shown(out), next_step="annotate into another file")


def _target(out: Path, image: Path, before: tuple[Path, ...]) -> Path:
    """Where the annotated picture goes; pictures of the same name in two folders get two files."""
    from vision.photos.picture_files import shown

    if not out.is_dir():
        if out.suffix.lower() not in _SUFFIXES:
            raise BadInputError(
                "no kind of picture", where=shown(out), next_step="end the name in .png or .jpg"
            )
        return out
    same = sum(other.stem == image.stem for other in before)
    return out / f"{image.stem}-read{f'-{same + 1}' if same else ''}.png"


def _report(name: str, picture: "Picture", found: "Found") -> dict[str, Any]:
    cards = _cards()
    return {
        "file": name,
        "width": picture.width,
        "height": picture.height,
        "codes": [
            {
                "text": code.text,
                "sticker": code.payload in cards,
                "card": cards.get(code.payload or ""),
                "corners": _points(code.corners),
                "stage": code.stage,
                "quality": code.quality,
            }
            for code in found.codes
        ],
        "markers": [
            {
                "id": marker.id,
                "card": cards.get(str(marker.id)),
                "corners": _points(marker.corners),
                "stage": marker.stage,
                "quality": 1.0,
            }
            for marker in found.markers
        ],
        "cards": [
            {
                "text": card.name,
                "corners": _points(card.corners),
                "stage": "art",
                "quality": round(card.quality, 3),
            }
            for card in found.cards
        ],
    }


def _recogniser(path: Path) -> "Recogniser | None":
    """What knows the cards in a file of enrolled ones; None if there are none."""
    from vision.art.art_book import load_book
    from vision.art.art_recogniser import recognise

    known = load_book(path)
    return (lambda image: recognise(image, known)) if known.views else None


def _printed() -> "tuple[TablePrint, ...]":
    """What is on the tables of the games."""
    from companion.games.registry import GAME_NAMES, load_game
    from vision.photos.table_photo import TablePrint

    def of(game: "TableGame[Any, Any]") -> TablePrint:
        markers = game.mat(next(iter(game.variants))).markers
        payloads = {card.payload for variant in game.variants for card in game.cards(variant) if card.payload}
        return TablePrint(
            frozenset(payloads), frozenset(marker.id for marker in markers), markers[0].side, _STICKER_MM
        )

    return tuple(of(load_game(name)) for name in GAME_NAMES)


@cache
def _cards() -> dict[str, str]:
    """Payloads and marker ids (as text) of every card that exists, and its name."""
    from companion.games.registry import GAME_NAMES, load_game

    games = [load_game(name) for name in GAME_NAMES]
    cards = [card for game in games for variant in game.variants for card in game.cards(variant)]
    named = {card.payload: f"{card.code} {card.name}" for card in cards if card.payload}
    return named | {str(card.marker): f"{card.code} {card.name}" for card in cards if card.marker is not None}


def _points(corners: "Corners") -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in corners]


def _print(report: dict[str, Any]) -> None:
    from vision.photos.picture_annotations import one_line

    counts = ", ".join(f"{len(report[kind])} {kind}" for kind in ("codes", "markers", "cards"))
    say(f"{report['file']}: {report['width']} x {report['height']} px, {counts}")
    for kind, name in (("codes", "text"), ("markers", "id"), ("cards", "text")):
        for one in report[kind]:
            xs, ys = zip(*one["corners"], strict=True)
            card = f" ({one['card']})" if one.get("card") else ""
            say(
                f"  {kind[:-1]:7} {one_line(str(one[name]))}{card}"
                f"  at {sum(xs) / 4:.0f}, {sum(ys) / 4:.0f}, {one['stage']}, quality {one['quality']:g}"
            )


def _write(path: Path, picture: "Picture", found: "Found") -> None:
    import cv2

    from vision.photos.picture_annotations import annotated
    from vision.photos.picture_files import shown

    data = cv2.imencode(path.suffix.lower(), annotated(picture, found))[1]
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadInputError(
            error.strerror or "cannot be written", where=shown(path), next_step="name another file"
        ) from error
