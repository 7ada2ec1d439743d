"""Rig profiles as files: a TOML file, and files beside it with presses, printed pictures and zones."""

import io
import lzma
import re
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from calibration.profile import PRESS_CELLS, VERSION, RigProfile
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.system_words import system_words

SIZE_MOST = 8 << 20
"""Largest file (bytes) that is read. A guess: profiles have some kilobytes."""
_BESIDE = ("presses", "art", "home")
"""Fields that are kept in files beside the TOML file."""
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")
_UID = re.compile(r"([0-9a-f]{2}){2,10}")
_NAME_MOST = 400
"""Most characters of a name or a camera's address. A guess."""
DAMAGED_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    OSError,
    LookupError,
    MemoryError,
)
"""Exceptions that Python's zip reader raises for damaged archives."""


def plain_of(profile: RigProfile) -> dict[str, Any]:
    """Profile as TOML values, without empty fields and those in files of their own."""
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(profile, presses={}, art=b"", home=b""))
    filled = {
        key: found for key, value in plain.items() if (found := _without_none(value)) not in ({}, "", None)
    }
    first = {key: filled.pop(key) for key in ("version", "made") if key in filled}
    return first | filled


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_none(one) for key, one in value.items() if one is not None and one != ""}
    return value


def files_beside(profile: RigProfile) -> list[tuple[str, str, bytes]]:
    """Fields that are kept in files of their own: (field, suffix, content).

    Empty fields are left out.
    """
    found = [("presses", "npz", _packed(profile.presses)), ("art", "art", profile.art)]
    found.append(("home", "home", profile.home))
    return [one for one in found if one[2]]


def _packed(presses: Mapping[str, tuple[bytes, ...]]) -> bytes:
    """Pack presses as npz; equal presses give equal bytes.

    `presses`: kind of a card -> its presses. b"" without any.
    """
    if not any(presses.values()):
        return b""
    arrays: dict[str, Any] = {
        kind: np.frombuffer(b"".join(those), np.uint8).reshape(len(those), PRESS_CELLS)
        for kind, those in sorted(presses.items())
        if those
    }
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)
    return packed.getvalue()


def _unpacked(data: bytes, where: str) -> dict[str, tuple[bytes, ...]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(one.file_size for one in archive.infolist()) > SIZE_MOST:
                raise BadInputError(text("claims to be huge"), where=where)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            found = {kind: arrays[kind] for kind in arrays.files}
    except BadInputError:
        raise
    except DAMAGED_ZIP as error:
        raise BadInputError(text("no array file ({why})", why=str(error)), where=where) from None
    if any(one.dtype != np.uint8 or one.ndim != 2 or one.shape[1] != PRESS_CELLS for one in found.values()):
        raise BadInputError(text("holds no presses"), where=where)
    return {kind: tuple(press.tobytes() for press in those) for kind, those in found.items()}


def _check_version(version: object, where: str) -> None:
    if isinstance(version, int) and version > VERSION:
        raise BadInputError(text("of a newer program"), where=where, next_step=text("update companion"))
    if not isinstance(version, int) or version < 1:
        raise BadInputError(text("no rig profile"), where=where)


def profile_of(data: bytes, where: str, part: Any) -> RigProfile:
    """Read a profile from TOML; BadInputError names no next step.

    `part(name)` returns the content of a data file.
    """
    try:
        plain = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInputError(text("cannot be read ({why})", why=str(error)), where=where) from None
    _check_version(plain.get("version"), where)
    beside = {key: plain.pop(key, {}) for key in _BESIDE}
    try:
        profile = msgspec.convert(plain, RigProfile)
        _check_plausible(profile)
    except (msgspec.ValidationError, BadInputError) as error:
        said = error.what if isinstance(error, BadInputError) else str(error)
        if unknown := _UNKNOWN.match(said):
            raise BadInputError(
                text("{field} is unknown here: a newer program may have written it", field=unknown[1]),
                where=where,
                next_step=text("update companion"),
            ) from None
        raise BadInputError(said, where=where) from None
    for key, listed in beside.items():
        file = listed.get("file", "") if isinstance(listed, dict) else ""
        if not file:
            continue
        if not isinstance(file, str) or Path(file).name != file:
            raise BadInputError(text("names an array file elsewhere"), where=where)
        data = part(file)
        found = _unpacked(data, f"{where}: {file}") if key == "presses" else data
        profile = msgspec.structs.replace(profile, **{key: found})
    return profile


def _check_plausible(profile: RigProfile) -> None:
    """Raise BadInputError if a profile has an impossible lens, tag number or name."""
    if profile.lens is not None:
        from companion.sensing.camera_source import measured  # imports OpenCV, which takes half a second

        measured(profile.lens)
    for uid in profile.tags:
        if not _UID.fullmatch(uid):
            raise BadInputError(text("{what} is no number of a tag", what=repr(uid[:40])))
    for name in (
        *profile.names,
        *profile.tags.values(),
        *profile.stations,
        *profile.electrodes,
        profile.camera,
        profile.port,
    ):
        if len(name) > _NAME_MOST or not name.isprintable():
            raise BadInputError(text("{what} is no name", what=repr(name[:40])))


def named_files(version: Path) -> dict[str, str]:
    """Field -> name of the data file that a version (TOML file) of a profile uses; {} if unreadable."""
    try:
        plain = tomllib.loads(version.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    listed = {key: plain.get(key) for key in _BESIDE}
    return {key: str(one["file"]) for key, one in listed.items() if isinstance(one, dict) and "file" in one}


def bytes_of(path: Path, next_step: str = "") -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_MOST + 1)
    except OSError as error:
        raise BadInputError(system_words(error), where=str(path), next_step=next_step) from None
    if len(data) > SIZE_MOST:
        raise BadInputError(text("too large for a rig"), where=str(path), next_step=next_step)
    return data
