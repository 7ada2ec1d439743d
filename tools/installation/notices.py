"""The licences of companion and of every library that its Debian package carries: its `copyright` file.

The wheel carries no library.
"""

from collections.abc import Iterable
from importlib.metadata import Distribution, PackageMetadata, distributions
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
_NAMES = ("LICEN", "COPYING", "NOTICE")
"""How the names of files with licences begin, in capitals."""


def notices(place: Path, names: Iterable[str]) -> str:
    """Licence of companion, then those of the libraries of these names in the folder `place`.

    Raises SystemExit if a library is not there or says nothing of its licence.
    """
    there = {_name(one.metadata["Name"]): one for one in distributions(path=[str(place)])}
    parts = [f"companion\n\n{(CHECKOUT / 'LICENSE').read_text('utf-8')}"]
    for name in sorted(map(_name, names)):
        if name not in there:
            raise SystemExit(f"{place} has no {name}: its licence cannot be told")
        parts.append(_notice(there[name]))
    return f"\n{'-' * 78}\n\n".join(parts)


def _notice(library: Distribution) -> str:
    about = library.metadata
    licence = _told(about, "License-Expression") or _told(about, "License").partition("\n")[0]
    if not licence:
        told = [line for line in about.get_all("Classifier") or () if line.startswith("License :: ")]
        licence = ", ".join(line.rpartition(" :: ")[2] for line in told)
    texts = [
        Path(str(library.locate_file(file)))
        for file in library.files or ()
        if ".dist-info" in str(file) and file.name.upper().startswith(_NAMES)
    ]
    if not licence and not texts:
        raise SystemExit(f"{about['Name']} says nothing of its licence: find it before it is shipped")
    head = f"{about['Name']} {library.version}: {licence or 'see below'}\n"
    if not texts:
        return f"{head}Its wheel has no text of it; see {_told(about, 'Home-page') or 'its project'}.\n"
    return head + "".join(f"\n{text.read_text('utf-8', 'replace').strip()}\n" for text in sorted(texts))


def _told(about: PackageMetadata, field: str) -> str:
    return str((about.get_all(field) or [""])[0])


def _name(name: str) -> str:
    return name.lower().replace("_", "-")
