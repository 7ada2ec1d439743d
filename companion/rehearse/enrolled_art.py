"""Enrols the cards of a virtual table by their art, as people do: from one photograph of rows for each size."""

from companion.virtual.virtual_table import VirtualTable
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
