"""`companion souvenir`: one game as an HTML page to keep."""

from pathlib import Path

import click

from companion.commands.what_is_played import last_journal
from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.files import check_free, replace_file
from companion.core.language import choose, text, tr, use
from companion.core.option_types import FILE_PATH, at_option, force_option, language_option
from companion.core.printable import say
from companion.core.system_words import system_words


@click.command()
@click.argument("journal", type=FILE_PATH, required=False)
@click.option("-o", "--out", type=FILE_PATH, required=True, help="The page to write, e.g. evening.html.")
@force_option
@language_option
@at_option
def souvenir(journal: Path | None, out: Path, force: bool) -> None:
    """Write a page about the game in JOURNAL (the last one without it): result, course, claims, turn by turn.

    The page needs nothing else and can be sent or printed. It says what everybody at the table saw, and no card
    that stayed hidden.
    """
    from companion.history.database import record_of
    from companion.history.game_course import course_of
    from companion.history.souvenir import souvenir_page

    use(choose(load_config().language))
    path = journal or last_journal()
    if path is None:
        raise BadInputError(text("no game was recorded"), next_step="companion souvenir JOURNAL -o FILE")
    course = course_of(path)
    page = souvenir_page(course, record_of(course, path.stat().st_mtime).began)
    another = text("name another file")
    try:
        check_free(out, overwrite=force)
        if out.exists() and not out.is_file():
            raise BadInputError(text("not a file"), where=str(out), next_step=another)
        if out.exists() and out.samefile(path):
            raise BadInputError(text("that is the journal itself"), where=str(out), next_step=another)
        replace_file(out, page.encode())
    except OSError as error:
        raise BadInputError(system_words(error), where=str(out), next_step=another) from None
    if course.fault:
        say(tr("The journal is damaged; the page ends before that: {fault}", fault=course.fault), err=True)
    say(str(out))
