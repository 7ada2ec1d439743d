"""Enrolment of a virtual table's cards by art: the companion learns what each kind looks like.

For each size of card, one photograph shows the kinds in rows.
"""

from pathlib import Path

from companion.virtual.virtual_table import VirtualTable
from vision.art.art_book import save_book
from vision.art.art_recogniser import ArtBook
from vision.art.row_enrolment import enrol_rows


def enrolled(table: VirtualTable) -> ArtBook | None:
    """Learn the art of all kinds of table cards.

    One photograph is drawn for each size of card. Returns the book of learned pictures. None if the cards have
    stickers, which need no learning.
    """
    looks = table.art_looks
    if looks is None:
        return None
    book = ArtBook()
    for (w, h), kinds in looks.sizes().items():
        photograph = looks.in_rows(kinds, table.seed)
        book = book.with_views(enrol_rows([photograph], kinds, short_mm=min(w, h)).book.views)
    return book


def enrol_into(path: Path, table: VirtualTable) -> None:
    """Learn the art of every kind of card, and write the book to `path`.

    Does nothing if the cards have stickers.
    """
    book = enrolled(table)
    if book is not None:
        save_book(path, book)
