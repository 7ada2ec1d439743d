"""`companion enrol --parts`: what is printed on a game's parts, from photographs and answers."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import click

from companion.core.config import config_file, load_config
from companion.core.errors import BadInputError
from companion.core.language import localized, text, tr
from companion.core.printable import say, shown_path
from companion.core.settings_file import write_table
from companion.games.optional_modules import PartEnrolment
from companion.games.registry import first_variant, load_game, load_part, printed_parts


def enrol_parts(
    game: str, images: Sequence[Path], answers: Sequence[str], config: Path | None, *, as_json: bool
) -> None:
    """Write what is printed on a game's parts, such as its die, into the settings.

    `game`: its name. `images`: photographs of the parts. `answers`: PART=TEXT each. `config`: settings file;
    None: the usual one. Without answers, and not `as_json`, a person is asked for each part that no photograph
    shows. A part without any answer keeps its entry. Entries equal to the default are not written. `as_json`:
    the result is printed as JSON. BadInputError for a wrong photograph, answer or settings file; nothing is
    written then.
    """
    part: PartEnrolment | None = load_part(load_game(game).name, "part_enrolment")
    if part is None:
        raise BadInputError(
            text("{game} leaves nothing to its parts", game=game),
            where="--parts",
            next_step=text("just play it"),
        )
    path = config or config_file()
    before = load_config(path).parts.get(game, {}) if path.exists() else {}
    told = _given(part, answers) | _photographed(game, part, images)
    found = {**before, **told}
    if not answers and not as_json:
        if not images:
            say(tr("Photographs answer some of this: {rows}.", rows=part.ROWS))
        for question in part.QUESTIONS:
            if question.name not in told:
                found[question.name] = _asked(game, question.name, question.text, found)
    write_table(path, ("parts", game), printed_parts(load_game(game, found)))
    parts = _all_parts(game, found)
    if as_json:
        click.echo(json.dumps({"game": game, "settings": str(path), "parts": parts}))
        return
    for name, answer in parts.items():
        say(f"{name:>12}  {answer}")
    say(tr("Written to {path}.", path=str(path)))


def _all_parts(game: str, found: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """What is printed on each game part: part -> print.

    `found`: prints known so far; the other parts have their default.
    """
    box = load_game(game, found).box
    assert box is not None, "only such a game has a module part_enrolment"
    return dict(box.all_parts())


def _given(part: PartEnrolment, answers: Sequence[str]) -> dict[str, str]:
    """Parse answers of the form PART=TEXT: part -> text.

    BadInputError if an answer has no "=" or names a part that the game does not ask about.
    """
    names = [question.name for question in part.QUESTIONS]
    given: dict[str, str] = {}
    for answer in answers:
        name, equals, given_text = answer.partition("=")
        if not equals or name not in names:
            raise BadInputError(
                text("{answer} answers nothing", answer=repr(answer)),
                where="--answer",
                next_step=text("PART=TEXT with {names}", names=tuple(names)),
            )
        given[name] = given_text
    return given


def _photographed(game: str, part: PartEnrolment, images: Sequence[Path]) -> dict[str, str]:
    """Read a game's printed parts off photographs: part -> print.

    `part`: what the game can read and ask. Empty without photographs. BadInputError, which says what the
    photographs must show, if the game cannot use them.
    """
    if not images:
        return {}
    # Loading OpenCV takes longer than all the rest of the command line.
    from companion.sensing.picture_report import printed
    from companion.sensing.picture_rows import rows_of
    from vision.photos.picture_files import load_picture, read_all

    rules = load_game(game)
    cards = rules.cards(first_variant(rules))
    rows = [row for image in images for row in rows_of(read_all(load_picture(image), printed=printed()), cards)]
    try:
        return dict(part.read_rows(rows))
    except ValueError as error:
        where = ", ".join(shown_path(image) for image in images)
        raise BadInputError(error.args[0], where=where, next_step=text("show {rows}", rows=part.ROWS)) from None


def _asked(game: str, name: str, text: str, found: dict[str, str]) -> str:
    """Ask a person about a part until the game accepts.

    Returns the accepted answer. `name`: the part. `text`: the question. `found`: part ->
    answer so far; an answer for `name` is offered as default, else the game's own default.
    """
    usual = found.get(name) or _all_parts(game)[name]
    while True:
        answer: str = click.prompt(localized(text), default=usual)
        try:
            load_game(game, {name: answer})
        except BadInputError as error:
            say(localized(error.what), err=True)
            continue
        return answer
