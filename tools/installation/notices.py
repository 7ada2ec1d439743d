"""The licences of companion and of every library that its Debian package carries: as text, and as the package's
`copyright` file, which Debian's programs read.

The wheel carries no library.
"""

import re
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageMetadata, distributions
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
_NAMES = ("LICEN", "COPYING", "NOTICE")
"""How the names of files with licences begin, in capitals."""


LONGEST_NAME = 60
"""LONGEST_NAME: letters of a licence's name: some wheels write a sentence there."""
_FORMAT = "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
_HOLDER = re.compile(
    r"^[\s\W]*(?:\d+\W+)?copyright\b(?!\s+(?:notice|holder|owner|licen|law|and|or|the)\b).*\d", re.IGNORECASE
)
"""_HOLDER: a line of a licence that names a holder and a year."""


def notices(place: Path, names: Iterable[str]) -> str:
    """Licence of companion, then those of the libraries of these names in the folder `place`.

    Raises SystemExit if a library is not there or says nothing of its licence.
    """
    parts = [f"companion\n\n{_own()}"]
    for library in _libraries(place, names):
        licence, texts = _licence(library)
        head = f"{library.metadata['Name']} {library.version}: {licence or 'see below'}\n"
        if not texts:
            head += (
                f"Its wheel has no text of it; see {_told(library.metadata, 'Home-page') or 'its project'}.\n"
            )
        parts.append(head + "".join(f"\n{text}\n" for text in texts))
    return f"\n{'-' * 78}\n\n".join(parts)


def copyright_file(place: Path, names: Iterable[str], installed: str) -> str:
    """The same as Debian's machine-readable `copyright` file (DEP 5): a paragraph for each library.

    `installed`: the folder of the libraries in the package. Raises SystemExit as `notices`.
    """
    head = f"Format: {_FORMAT}\nUpstream-Name: companion\nComment: The package carries libraries of others.\n"
    parts = [head, _paragraph("*", [_own()], "Expat")]
    for library in _libraries(place, names):
        licence, texts = _licence(library)
        files = sorted({Path(str(one)).parts[0] for one in library.files or () if ".." not in str(one)})
        where = "\n ".join(f"{installed}/{one}{'/*' if (place / one).is_dir() else ''}" for one in files)
        short = re.sub(r"[^A-Za-z0-9.+-]+", "-", licence)[:LONGEST_NAME].strip("-") or library.metadata["Name"]
        parts.append(_paragraph(where, texts, f"{short}-of-{_name(library.metadata['Name'])}", library))
    return "\n".join(parts)


def _paragraph(files: str, texts: list[str], licence: str, library: Distribution | None = None) -> str:
    """Files, holders and licence in one paragraph; an empty line of a text is a dot."""
    lines = [line.strip() for text in texts for line in text.splitlines()]
    holders = list(dict.fromkeys(line.lstrip("#*/;.-| \t") for line in lines if _HOLDER.match(line)))
    if not holders and library is not None:
        holders = [
            _told(library.metadata, "Author") or _told(library.metadata, "Author-email") or "its authors"
        ]
    text = "\n".join(texts) or "See the project's pages."
    body = "\n".join(f" {line.rstrip()}" if line.strip() else " ." for line in text.strip().splitlines())
    holder = "\n ".join(holders)
    return f"Files: {files}\nCopyright: {holder}\nLicense: {licence}\n{body}\n"


def _own() -> str:
    return (CHECKOUT / "LICENSE").read_text("utf-8")


def _libraries(place: Path, names: Iterable[str]) -> Iterator[Distribution]:
    """The libraries of these names, in alphabetical order. Raises SystemExit if one is not there."""
    there = {_name(one.metadata["Name"]): one for one in distributions(path=[str(place)])}
    for name in sorted(map(_name, names)):
        if name not in there:
            raise SystemExit(f"{place} has no {name}: its licence cannot be told")
        yield there[name]


def _licence(library: Distribution) -> tuple[str, list[str]]:
    """What a library says of its licence, in short, and the texts; SystemExit if it says nothing."""
    about = library.metadata
    licence = _told(about, "License-Expression") or _told(about, "License").partition("\n")[0]
    if not licence:
        told = [line for line in about.get_all("Classifier") or () if line.startswith("License :: ")]
        licence = ", ".join(line.rpartition(" :: ")[2] for line in told)
    paths = [
        Path(str(library.locate_file(file)))
        for file in library.files or ()
        if ".dist-info" in str(file) and file.name.upper().startswith(_NAMES)
    ]
    if not licence and not paths:
        raise SystemExit(f"{about['Name']} says nothing of its licence: find it before it is shipped")
    return licence, [path.read_text("utf-8", "replace").strip() for path in sorted(paths)]


def _told(about: PackageMetadata, field: str) -> str:
    return str((about.get_all(field) or [""])[0])


def _name(name: str) -> str:
    return name.lower().replace("_", "-")
