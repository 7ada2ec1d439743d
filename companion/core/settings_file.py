"""Changes entries of the settings file, and keeps the rest as people wrote it."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.core.errors import BadInputError
from companion.core.files import replace_file, write_private
from companion.core.language import text
from companion.core.system_words import system_words


def write_table(path: Path, keys: tuple[str, ...], values: Mapping[str, str]) -> None:
    """Replace the table at `keys`, e.g. ("parts", "GAME"), in a settings file. No `values`: remove it.

    Comments and other settings stay. At any time readers see the old file or the new. BadInputError if it
    is no TOML, or cannot be written.
    """
    import tomlkit

    document = _read(path)
    table = document
    for key in keys[:-1]:
        if key not in table:
            table[key] = tomlkit.table(is_super_table=True)
        table = table[key]
    if values:
        table[keys[-1]] = dict(values)
    else:
        table.pop(keys[-1], None)
    _replace(path, document)


def write_entries(path: Path, entries: Mapping[tuple[str, ...], str | bool | float | Sequence[str]]) -> None:
    """Set single entries in a settings file, e.g. ("screen", "theme") -> "day". Comments and other settings
    stay.

    Errors as for `write_table`.
    """
    import tomlkit

    document = _read(path)
    for keys, value in entries.items():
        table = document
        for key in keys[:-1]:
            if key not in table:
                table[key] = tomlkit.table()
            table = table[key]
        table[keys[-1]] = value if isinstance(value, str | bool | int | float) else list(value)
    _replace(path, document)


def _read(path: Path) -> Any:
    """Settings with their comments; empty without such a file."""
    # Imported late, because loading tomlkit takes longer than reading settings.
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        written = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        tomllib.loads(written)
        return tomlkit.parse(written)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TOMLKitError) as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: Exception) -> BadInputError:
    """Error to raise for an unreadable settings file."""
    if isinstance(error, UnicodeDecodeError):
        return BadInputError(
            text("not UTF-8"), where=str(path), next_step=text("save the file again, as UTF-8")
        )
    if isinstance(error, OSError):
        return BadInputError(
            text("the settings cannot be read ({why})", why=system_words(error)),
            where=str(path),
            next_step=text("check the name and permissions"),
        )
    return BadInputError(
        text("cannot be read as TOML ({why})", why=str(error)),
        where=str(path),
        next_step=text("mend or remove it"),
    )


def before(path: Path) -> Path:
    """Path of the settings file's copy before the last change."""
    return path.with_name(f"{path.name}.before")


def _replace(path: Path, document: Any) -> None:
    import tomlkit

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            write_private(before(path), path.read_bytes())
        replace_file(path, tomlkit.dumps(document).encode())
    except OSError as error:
        raise BadInputError(
            system_words(error), where=str(path), next_step=text("make room, or allow writing there")
        ) from None
