"""Writes what is on which printed sheet, and the table of tags: python -m tests.golden.make_sheets"""

from pathlib import Path

from calibration.sheets.mat_sheets import NAME_PT
from calibration.sheets.print_sizes import CAMERAS, PAPERS
from calibration.sheets.sheet_set import Book, make_book
from calibration.sheets.sheet_shapes import Symbol, Words, marker_at, sticker_at
from companion.games.registry import GAME_NAMES, load_cards, load_game, load_mat
from vision.mat_geometry import MatMarker

FOLDER = Path(__file__).parent / "sheets"
OTHERS = GAME_NAMES[1:]
GAME = load_game("sleepless-princess")
BOOKS = [("basic", "a4", "1080p"), ("basic", "letter", "1080p"), ("5+", "a4", "4k"), ("5+", "letter", "pi3")]
TAGS = FOLDER / "tags_sp1.txt"


def path_of(variant: str, paper: str, camera: str) -> Path:
    """The file of a book."""
    return FOLDER / f"{variant.replace('+', '_plus')}_{paper}_{camera}.txt"


def book(variant: str, paper: str, camera: str) -> Book:
    """All sheets."""
    title = f"{GAME.name.replace('-', ' ').title()} ({variant})"
    return make_book(title, GAME.cards(variant), GAME.mat(variant), PAPERS[paper], CAMERAS[camera])


def contents(made: Book) -> str:
    """Each sheet, its symbols with corner and side of the white square, and the names on the mat, in mm."""
    lines = []
    for sheet in made.sheets:
        lines += ["", f"{sheet.name}, {sheet.w:g} x {sheet.h:g}"]
        for shape in sheet.shapes:
            if isinstance(shape, Symbol):
                lines.append(f"  {shape.code}  {shape.tag}  {shape.x:.2f} {shape.y:.2f}  {shape.side:.2f}")
            elif isinstance(shape, Words) and sheet.name.startswith("mat") and shape.size == NAME_PT:
                lines.append(f"  “{shape.text}”  {shape.x:.2f} {shape.y:.2f}")
    return "\n".join(lines[1:]) + "\n"


def tags() -> str:
    """Card code, payload or marker id, and the modules that are printed for it, row by row in hexadecimal."""
    lines = []
    for card in GAME.cards("basic"):
        if card.payload:
            lines.append(_tag(sticker_at(card.code, card.payload, 0, 0, 30)))
        if card.marker is not None:
            lines.append(_tag(marker_at(card.code, card.marker, 0, 0, 30)))
    lines += [_corner(corner) for corner in GAME.mat("basic").markers]
    return "\n".join(lines) + "\n"


def tags_of(game: str) -> str:
    """The same of another game."""
    lines = [_tag(sticker_at(card.code, card.payload, 0, 0, 30)) for card in load_cards(game)]
    lines += [_corner(corner) for corner in load_mat(game).markers]
    return "\n".join(lines) + "\n"


def _corner(corner: MatMarker) -> str:
    place = f"{corner.x:g} {corner.y:g} {corner.side:g}"
    return f"{_tag(marker_at('mat', corner.id, 0, 0, 30))}  {place}"


def tags_file(game: str) -> Path:
    """Where they are kept, by the prefix of their payloads."""
    return FOLDER / f"tags_{load_cards(game)[0].payload[:3].lower()}.txt"


def _tag(symbol: Symbol) -> str:
    rows = ("".join("01"[black] for black in row) for row in symbol.modules)
    return f"{symbol.code}  {symbol.tag}  {' '.join(f'{int(row, 2):x}' for row in rows)}"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    TAGS.write_text(tags(), encoding="utf-8")
    for name in OTHERS:
        tags_file(name).write_text(tags_of(name), encoding="utf-8")
    for one in BOOKS:
        path_of(*one).write_text(contents(book(*one)), encoding="utf-8")
