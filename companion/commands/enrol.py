"""`companion enrol`: cards, or what is printed on a game's parts, are shown to the program once."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.clock import RealClock
from companion.core.config import art_file, load_config
from companion.core.errors import BadInputError
from companion.core.language import choose, localized, plural, text, tr, use
from companion.core.option_types import FILE_PATH, FiniteRange, at_option, language_option
from companion.core.printable import say
from companion.sensing.vision_words import in_words

if TYPE_CHECKING:
    from vision.art.art_match import ArtView
    from vision.art.art_recogniser import ArtBook


@click.command()
@click.argument("name", required=False)
@click.argument("images", nargs=-1, metavar="[IMAGE]...", type=FILE_PATH)
@click.option("--camera", metavar="CAMERA", help="Take the card that lies under this camera.")
@click.option("--kinds", metavar="A,B,...",
              help="The IMAGEs show these kinds in rows, in this order: enrol all of them.")  # fmt: skip
@click.option("--short-mm", type=FiniteRange(10, 300), default=56.0, show_default=True,
              help="With --kinds: the short side of the first card.")  # fmt: skip
@click.option("--parts", "game", metavar="GAME",
              help="Read off what is printed on the parts of GAME, from IMAGEs and by questions.")  # fmt: skip
@click.option("--answer", "answers", multiple=True, metavar="PART=TEXT",
              help="With --parts: the answer to a question; then none is asked.")  # fmt: skip
@click.option("--config", metavar="FILE", type=FILE_PATH,
              help="With --parts: the settings to change, if not the usual.")  # fmt: skip
@click.option("--replace", is_flag=True, help="Forget what was known of NAME before.")
@click.option("--list", "listing", is_flag=True, help="Name the cards that are known.")
@click.option("--forget", metavar="NAME", help="Forget a card.")
@click.option(
    "--book",
    metavar="FILE",
    type=FILE_PATH,
    help="The file of enrolled cards, if not the usual.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@language_option
@at_option
@in_words()
def enrol(
    name: str | None,
    images: tuple[Path, ...],
    camera: str | None,
    kinds: str | None,
    short_mm: float,
    game: str | None,
    answers: tuple[str, ...],
    config: Path | None,
    replace: bool,
    listing: bool,
    forget: str | None,
    book: Path | None,
    as_json: bool,
) -> None:
    """Enrol a card under NAME from pictures of it, or from a camera.

    Each picture shows the card alone on a plain cloth, or is nothing but the card. A name that is known
    already gets one more view for each picture. `companion read` then names the card in any picture.
    With --kinds photographs show cards in rows; `companion run --art FILE` then plays without stickers.
    With --parts the program learns what the rulebook leaves to the box, such as the faces of a die.
    """
    use(choose(load_config().language))
    photographs = (*((Path(name),) if name else ()), *images)
    picked = camera is not None or listing or forget is not None
    if game is not None:
        if kinds is not None or picked or replace:
            raise _one_thing(text("give --parts with photographs"))
        from companion.commands.enrol_parts import enrol_parts

        enrol_parts(game, photographs, answers, config, as_json=as_json)
        return
    if answers or config is not None:
        raise BadInputError(
            text("there is no game to ask about"), where="enrol", next_step=text("add --parts GAME")
        )
    # Loading OpenCV takes longer than all the rest of the command line.
    from vision.art.art_book import check_name

    path = book or art_file()
    if kinds is not None:
        if picked:
            raise _one_thing(text("give --kinds with photographs"))
        names = [check_name(kind.strip()) for kind in kinds.split(",")]
        _say(_rows(path, names, photographs, short_mm), as_json)
        return
    _say(_of_book(path, name, images, camera, forget, listing=listing, replace=replace), as_json)


def _of_book(
    path: Path,
    name: str | None,
    images: tuple[Path, ...],
    camera: str | None,
    forget: str | None,
    *,
    listing: bool,
    replace: bool,
) -> dict[str, Any]:
    """Enrol a card, forget one, or list all enrolled cards.

    `path`: file of enrolled cards. `name`: card to enrol, from `images` or `camera`; `replace` drops its former
    pictures. `forget`: card to forget. `listing`: list them. Returns {"book": path, "cards": name -> number of
    pictures}, after a change with "enrolled" and "looks_like", or "forgotten". BadInputError unless exactly one
    of the three is asked for.
    """
    from vision.art.art_book import check_name, load_book

    wanted = [bool(name), listing, forget is not None]
    if sum(wanted) != 1 or (name and bool(images) == (camera is not None)):
        raise _one_thing(text("give NAME with pictures or --camera, --list, or --forget"))
    known = load_book(path)
    if forget is not None:
        return _forgotten(path, known, forget)
    if not name:
        return _listing(path, known)
    check_name(name)
    views = _views_from_camera(name, camera) if camera is not None else _views_from_files(name, images)
    return _enrolled(path, known, name, views, replace=replace)


def _one_thing(next_step: str) -> BadInputError:
    """Error for options that ask for several things at once.

    `next_step`: what the user should do. The error is returned, not raised.
    """
    return BadInputError(text("one thing at a time"), where="enrol", next_step=next_step)


def _forgotten(path: Path, known: "ArtBook", name: str) -> dict[str, Any]:
    """Remove a card from the file of enrolled cards.

    Returns {"book": `path`, "cards": name -> number of pictures, "forgotten": `name`}. BadInputError if the
    card is not enrolled.
    """
    from vision.art.art_book import save_book

    if name not in known.names:
        raise BadInputError(text("is not enrolled"), where=name, next_step=text("see companion enrol --list"))
    known = known.without(name)
    save_book(path, known)
    return {**_listing(path, known), "forgotten": name}


def _enrolled(
    path: Path, known: "ArtBook", name: str, views: "list[ArtView]", *, replace: bool
) -> dict[str, Any]:
    """Add pictures of a card to the enrolled cards' file.

    `known`: content of the file `path`. `views`: the pictures. `replace`: the card's former pictures are
    dropped. Returns {"book": `path`, "cards": name -> number of pictures, "enrolled": `name`, "looks_like":
    sorted names of other cards that look like it}.
    """
    from vision.art.art_book import save_book

    kept = known.without(name) if replace else known
    alike = sorted({twin for view in views if (twin := kept.twin(view)) is not None})
    known = kept.with_views(views)
    save_book(path, known)
    return {**_listing(path, known), "enrolled": name, "looks_like": alike}


def _views_from_files(name: str, images: tuple[Path, ...]) -> list["ArtView"]:
    """One view for the card `name` from each picture file.

    UnusableError, with the file's name, if a picture does not show a card alone.
    """
    from vision.art.art_recogniser import enrol as view_of
    from vision.errors import UnusableError
    from vision.photos.picture_files import load_picture

    views = []
    for image in images:
        picture = load_picture(image)
        try:
            views.append(view_of(name, picture.colour))
        except UnusableError as error:
            raise UnusableError(error.reason, str(image)) from None
    return views


def _views_from_camera(name: str, spec: str) -> list["ArtView"]:
    """One view of the card `name`, once the card lies still under a camera.

    `spec`: value of --camera.
    """
    from vision.art.enrolment import still_view
    from vision.camera.open_camera import open_camera

    clock = RealClock()
    with open_camera(spec, clock, colour=True) as camera:
        say(tr("Lay the card alone under the camera and let it lie."), err=True)
        return [still_view(name, camera, clock)]


def _rows(path: Path, kinds: list[str], images: tuple[Path, ...], short_mm: float) -> dict[str, Any]:
    """Enrol cards from photographs that show them in rows.

    `kinds`: names in the order of the cards. `short_mm`: short side (mm) of the first card. Former pictures of
    these kinds in the file `path` are replaced. Returns {"book": `path`, "cards": name -> number of pictures,
    "kinds": `kinds`, "confused": pairs of names that look alike}.
    """
    from vision.art.art_book import load_book, save_book
    from vision.art.row_enrolment import confusions, enrol_rows
    from vision.photos.picture_files import load_picture

    enrolled = enrol_rows([load_picture(image).colour for image in images], kinds, short_mm).book
    known = load_book(path)
    for kind in kinds:
        known = known.without(kind)
    known = known.with_views(enrolled.views)
    save_book(path, known)
    alike = [[one.first, one.second] for one in confusions(known) if {one.first, one.second} & set(kinds)]
    return {**_listing(path, known), "kinds": kinds, "confused": alike}


def _listing(path: Path, book: "ArtBook") -> dict[str, Any]:
    """The enrolled cards for JSON.

    Returns {"book": `path`, "cards": name -> number of pictures}.
    """
    counts = {name: sum(view.name == name for view in book.views) for name in book.names}
    return {"book": str(path), "cards": counts}


def _say(report: dict[str, Any], as_json: bool) -> None:
    """Print what `companion enrol` did.

    `report`: the dict that _of_book or _rows returns. `as_json`: as one JSON object, not as sentences.
    """
    if as_json:
        click.echo(json.dumps(report))
        return
    if "kinds" in report:
        known = plural("{n} kind is known: {kinds}", "{n} kinds are known: {kinds}", n=len(report["kinds"]))
        say(localized(known.of(kinds=", ".join(report["kinds"]))))
        for first, second in report["confused"]:
            say(tr("{first} and {second} look alike from above: put a dot on one.", first=first, second=second))
    elif "enrolled" in report:
        views = report["cards"][report["enrolled"]]
        seen = plural("{card} is known, {n} view", "{card} is known, {n} views", n=views)
        say(localized(seen.of(card=report["enrolled"])))
        for other in report["looks_like"]:
            say(tr("It looks so much like {other} that neither will be named in doubt.", other=other))
    elif "forgotten" in report:
        say(tr("{card} is forgotten", card=report["forgotten"]))
    else:
        for name, views in report["cards"].items():
            say(localized(plural("{card}  {n} view", "{card}  {n} views", n=views).of(card=name)))
        in_book = plural("{n} card in {book}", "{n} cards in {book}", n=len(report["cards"]))
        say(localized(in_book.of(book=report["book"])))
