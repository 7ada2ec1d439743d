"""Enrols the cards of a virtual table by their art, as people do: from one photograph of rows for each size."""

from pathlib import Path

from companion.virtual.virtual_table import VirtualTable
from vision.art.art_book import save_book
from vision.art.art_recogniser import ArtBook
from vision.art.row_enrolment import enrol_rows


def enrolled(table: VirtualTable) -> ArtBook | None:
    """The book of every kind of the table; None where cards have stickers."""
    looks = table.art_looks
    if looks is None:
        return None
    book = ArtBook()
    for (w, h), kinds in looks.sizes().items():
        photograph = looks.in_rows(kinds, table.seed)
        book = book.with_views(enrol_rows([photograph], kinds, short_mm=min(w, h)).book.views)
    return book


def enrol_into(path: Path, table: VirtualTable) -> None:
    """Write the book to a file, as `companion enrol --kinds` does; nothing where cards have stickers."""
    book = enrolled(table)
    if book is not None:
        save_book(path, book)
