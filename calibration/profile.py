"""Rig profiles: all that was found out about one rig, as one versioned TOML file.

>>> from datetime import datetime
>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     store = RigStore(Path(folder))
...     _ = store.save("table", RigProfile(camera="0"), datetime(2026, 1, 1))
...     _ = store.save("table", RigProfile(camera="1"), datetime(2026, 1, 2))
...     store.names(), store.load("table").camera, store.backups("table")
(('table',), '1', ('2026-01-02-000000',))

`NAME.toml` names the files beside it by their content. They hold presses (`NAME-HASH.npz`), cards known by
pictures (`.art`) and a table without a mat (`.home`). Replacing the TOML file therefore replaces all at once.
Former versions are kept in the folder `backups`.
"""

import hashlib
import io
import lzma
import re
import struct
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import tomlkit
from numpy.typing import NDArray

from calibration.wizard.step_result import Verdict
from companion.core.config import OF_A_GAME, Config, TableSettings, rigs_dir
from companion.core.errors import BadInputError
from companion.core.files import replace_file, write_new
from companion.core.language import text
from companion.core.system_words import system_words
from companion.core.table_names import own_plain_name

VERSION = 1
"""VERSION: number of the rig profile's file format; files of another version are refused."""
BACKUPS_KEPT = 20
"""Most former versions of a rig that are kept. A guess."""
PRESS_CELLS = 256
"""Number of readings in one press: 16 x 16 crossings of the pressure matrix, row by row."""
_SIZE_MOST = 8 << 20
"""Largest file (bytes) that is read. A guess: profiles have some kilobytes."""
_BESIDE = ("presses", "art", "home")
"""Fields that are kept in files beside the TOML file."""
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")
_UID = re.compile(r"([0-9a-f]{2}){2,10}")
_NAME_MOST = 400
"""Most characters of a name or a camera's address. A guess."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


CARDS_KNOWN = ("cards", "art")
"""Setup steps by which the camera learns the cards; one of them is enough.

"cards" reads stickers, "art" printed pictures.
"""


def default_name() -> str:
    """Name for a rig that nobody named.

    The table's name (`--at`), or "table".
    """
    return own_plain_name() or "table"


class DamagedRigError(BadInputError):
    """A rig exists, but its files cannot be used."""


Press = NDArray[np.uint8]
"""Press of a card on the pressure matrix: PRESS_CELLS readings from 0 to 255."""


class StepRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Setup step's last result, recorded in a rig profile.

    `verdict`: on the step. `number`, `unit`: what it measured; None and "" for nothing. `at`: time (ISO 8601).
    """

    verdict: Verdict
    at: str
    number: float | None = None
    unit: str = ""


class RigProfile(TableSettings, frozen=True, forbid_unknown_fields=True):
    """Profile of one rig: everything that setup found out.

    Unknown fields are empty.
    """

    version: int = VERSION
    made: str = ""
    """Time of the profile's last change (ISO 8601). Empty before the first."""
    presses: dict[str, tuple[bytes, ...]] = msgspec.field(default_factory=dict)
    """Kind of a card with a raised picture -> its presses (PRESS_CELLS bytes each).

    Kept in a file beside the TOML file.
    """
    art: bytes = b""
    """Cards known by their printed pictures, as `vision.art.art_book` writes them; b"" for none.

    Kept in a file beside the TOML file.
    """
    home: bytes = b""
    """Where the zones of a table without a mat lie (`vision.mat.home`); b"" with a mat.

    Kept in a file beside the TOML file.
    """
    steps: dict[str, StepRecord] = msgspec.field(default_factory=dict)
    """Name of a setup step -> its last result."""
    virtual_seed: int | None = None
    """Seed of the virtual table that was set up; None for a real rig."""

    def has_done(self, step: str) -> bool:
        """True if the last result of the setup step `step` was good or usable."""
        record = self.steps.get(step)
        return record is not None and record.verdict is not Verdict.NOT_GOOD

    def __post_init__(self) -> None:
        if any(len(press) != PRESS_CELLS for those in self.presses.values() for press in those):
            raise ValueError(f"a press has {PRESS_CELLS} crossings")


def migrated(settings: Config) -> RigProfile:
    """Make a rig profile of what the settings file says about a rig.

    BadInputError if a press in the settings has not 256 bytes.
    """
    try:
        presses = {
            kind: tuple(bytes.fromhex(press) for press in those) for kind, those in settings.textures.items()
        }
        known = {name: getattr(settings, name) for name in TableSettings.__struct_fields__}
        return RigProfile(**known, presses=presses)
    except ValueError as error:
        raise BadInputError(str(error), where="textures", next_step=text("enrol it anew")) from None


def with_rig(settings: Config, profile: RigProfile) -> Config:
    """Complete the settings by a rig's profile.

    Where both know something, the profile wins, except for the game: one rig can play several.
    """
    game = settings.game or profile.game
    textures = {kind: [press.hex() for press in those] for kind, those in profile.presses.items()}
    names = profile.names if profile.names and game == profile.game else settings.names
    parts = {
        field: _joined(getattr(settings, field), getattr(profile, field))
        for field in TableSettings.__struct_fields__
        if field not in OF_A_GAME
    }
    return msgspec.structs.replace(
        settings, **parts, game=game, names=names, textures=settings.textures | textures
    )


def _joined(typed: Any, found: Any) -> Any:
    """Prefer what setup found (`found`) to what people typed (`typed`).

    Tables are joined entry by entry.
    """
    return typed | found if isinstance(found, dict) else found or typed


def configured_rig(settings: Config, named: str | None, game: str | None = None) -> Config:
    """Complete the settings by what a rig's profile knows.

    The rig is the `named` one, else theirs, else the only rig. A virtual table's rig is used only if named.
    `game`: the game to be played, by default that of the settings. Cards' printed pictures are used only for
    the game with which the rig was set up.
    """
    store = RigStore()
    named = named or settings.rig
    name = store.usual(named)
    profile = store.load(name) if name else None
    if profile is None or (profile.virtual_seed is not None and not named):
        return settings
    return with_files(with_rig(settings, profile), store, name, profile, game)


def with_files(
    settings: Config, store: "RigStore", name: str, profile: RigProfile, game: str | None = None
) -> Config:
    """Add the paths of a rig's `art` and `home` files to the settings.

    They are added only if the rig was set up with the game to be played: `game`, by default that of the
    settings.
    """
    if (game or settings.game) != profile.game:
        return settings
    files = {what: str(store.beside(name, what)) for what in ("art", "home") if getattr(profile, what)}
    return msgspec.structs.replace(settings, **files)


def virtual_rig(name: str, game: str, variant: str) -> RigProfile:
    """Load a virtual table's rig, which was set up for this game and variant.

    BadInputError if it was not.
    """
    store = RigStore()
    found = store.load(store.usual(name))
    if found.virtual_seed is None or (found.game, found.variant) != (game, variant):
        raise BadInputError(
            text("was not set up on a virtual table for {game} ({variant})", game=game, variant=variant),
            where=name,
            next_step=_setup_again(found, name, game, variant),
        )
    return found


def _setup_again(found: RigProfile, name: str, game: str, variant: str) -> str:
    """Command line that sets up a virtual rig anew.

    Mat and cards are known in the same way as in `found`.
    """
    told = f"companion setup --table virtual --auto --rig {name} --game {game} --variant {variant}"
    kept = (" --mat none" if found.home else "") + (" --cards art" if found.art else "")
    return told + kept if found.virtual_seed is not None else told


class RigStore:
    """Folder of rig profiles, by default the user's.

    `folder`: None for the user's. `write(path, data)` replaces a file as a whole, or raises OSError.
    """

    def __init__(
        self, folder: Path | None = None, write: "Callable[[Path, bytes], None] | None" = None
    ) -> None:
        self.folder = rigs_dir() if folder is None else folder
        self._write = write or replace_file

    def names(self) -> tuple[str, ...]:
        """Names of all rigs in alphabetical order."""
        found = (path.stem for path in self.folder.glob("*.toml"))
        return tuple(sorted(name for name in found if _NAME.fullmatch(name)))

    def usual(self, named: str = "") -> str:
        """Choose the rig to use: the one called `named`, else the only rig.

        "" if there is no rig. A table that has a name uses only the rig of that name. BadInputError if `named`
        does not exist, or if nothing is named and there are several rigs.
        """
        names = self.names()
        if not named and (table := own_plain_name()):
            return table if table in names else ""
        if named and named not in names:
            check_name(named)
            known = (
                text("choose one of: {names}", names=tuple(names))
                if names
                else text("companion setup makes one")
            )
            raise BadInputError(text("no such rig"), where=named, next_step=known)
        if not named and len(names) > 1:
            raise BadInputError(
                text("there are several rigs: {names}", names=tuple(names)), next_step=text("add --rig NAME")
            )
        return named or (names[0] if names else "")

    def load(self, name: str) -> RigProfile:
        """Read the profile of a rig.

        BadInputError if there is none, DamagedRigError if its files cannot be used.
        """
        check_name(name)
        try:
            return self._read(self._path(name))
        except BadInputError as error:
            next_step = self._way_on(name, newer=bool(error.next_step))
            raise DamagedRigError(error.what, where=error.where, next_step=next_step) from None

    def save(self, name: str, profile: RigProfile, now: datetime, *, backup: bool = True) -> RigProfile:
        """Write a whole rig profile; return it as written.

        The former version becomes a backup. Without `backup` it is replaced, as steps that save their progress
        would push out all backups. `now`: noted as the time of the change. OSError if the disk is full or
        read-only; the former version then stays.
        """
        check_name(name)
        profile = msgspec.structs.replace(profile, version=VERSION, made=now.isoformat(timespec="seconds"))
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        plain = _plain(profile)
        for key, suffix, data in _beside(profile):
            file = f"{name}-{hashlib.sha256(data).hexdigest()[:12]}.{suffix}"
            plain[key] = {"file": file}
            self._write(self.folder / file, data)
        path = self._path(name)
        if backup and path.exists():
            self._back_up(name, path, now)
        self._write(path, tomlkit.dumps(plain).encode())
        self._tidy(name)
        return profile

    def backups(self, name: str) -> tuple[str, ...]:
        """Dates of a rig's former versions, newest first.

        `restore` takes them.
        """
        found = (path.stem.removeprefix(f"{name}@") for path in self._backup_folder.glob(f"{name}@*.toml"))
        return tuple(sorted(found, reverse=True))

    def restore(self, name: str, date: str, now: datetime) -> RigProfile:
        """Make a former version of a rig the present one.

        The present one becomes a backup. `date`: one of `backups` (else BadInputError); "" for the newest.
        Returns the profile.
        """
        check_name(name)
        dates = self.backups(name)
        date = date or (dates[0] if dates else "")
        if date not in dates:
            known = (
                text("choose one of: {names}", names=tuple(dates))
                if dates
                else text("nothing of this rig was changed yet")
            )
            raise BadInputError(
                text("no version of {date}", date=date) if date else text("no earlier version"),
                where=name,
                next_step=known,
            )
        try:
            former = self._read(self._backup_folder / f"{name}@{date}.toml")
        except BadInputError as error:
            others = tuple(one for one in dates if one != date)
            next_step = text("choose one of: {names}", names=others) if others else self._anew(name)
            raise BadInputError(error.what, where=error.where, next_step=next_step) from None
        return self.save(name, former, now)

    def export(self, name: str, file: Path, *, overwrite: bool = False) -> None:
        """Write a rig into one zip file, for another machine.

        BadInputError if `file` exists, unless `overwrite`.
        """
        profile = self.load(name)
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            plain = _plain(profile)
            for key, suffix, data in _beside(profile):
                plain[key] = {"file": f"{key}.{suffix}"}
                archive.writestr(f"{key}.{suffix}", data)
            archive.writestr("rig.toml", tomlkit.dumps(plain))
        write_new(file, packed.getvalue(), overwrite=overwrite, option="--export")

    def beside(self, name: str, what: str) -> Path:
        """Path of a rig's file of `what` ("art" or "home").

        The folder of all rigs if there is no such file.
        """
        return self.folder / _files(self._path(name)).get(what, "")

    @property
    def _backup_folder(self) -> Path:
        return self.folder / "backups"

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def _way_on(self, name: str, *, newer: bool) -> str:
        """Sentence on what to do about an unreadable rig.

        `newer`: a newer version of the program wrote it.
        """
        command = f"companion setup --rig {name} --restore last"
        if not self.backups(name):
            return text("update companion") if newer else self._anew(name)
        if newer:
            return text("update companion, or go back: {command}", command=command)
        return text("go back: {command}", command=command)

    def _anew(self, name: str) -> str:
        command = f"companion setup --rig {name}"
        return text(
            "no earlier version is kept: move {file} away and set up anew ({command}), or take over an exported"
            " rig: {other}",
            file=str(self._path(name)),
            command=command,
            other=f"{command} --import FILE",
        )

    def _read(self, path: Path) -> RigProfile:
        return _parsed(_bytes_of(path), str(path), lambda file: _bytes_of(self.folder / file))

    def _back_up(self, name: str, path: Path, now: datetime) -> None:
        self._backup_folder.mkdir(mode=0o700, exist_ok=True)
        date, number = now.strftime("%Y-%m-%d-%H%M%S"), 1
        while (
            kept := self._backup_folder / f"{name}@{date}{f'.{number}' if number > 1 else ''}.toml"
        ).exists():
            number += 1
        self._write(kept, path.read_bytes())

    def _tidy(self, name: str) -> None:
        """Delete a rig's oldest backups beyond 20, and data files that no version names."""
        for date in self.backups(name)[BACKUPS_KEPT:]:
            (self._backup_folder / f"{name}@{date}.toml").unlink(missing_ok=True)
        versions = [self._path(name), *self._backup_folder.glob(f"{name}@*.toml")]
        ours = re.compile(re.escape(name) + r"-[0-9a-f]{12}\.(?:npz|art|home)")
        try:
            # Versions are searched as text, because a damaged one may still be mended.
            texts = [one.read_bytes().decode(errors="replace") for one in versions if one.exists()]
        except OSError:
            return  # nobody knows which files that version needs
        needed = {file for told in texts for file in ours.findall(told)}
        for file in self.folder.glob(f"{name}-*"):
            if ours.fullmatch(file.name) and file.name not in needed:
                file.unlink(missing_ok=True)


_DAMAGED_ZIP = (
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


def read_exported(file: Path) -> RigProfile:
    """Read a rig from a zip file that `RigStore.export` wrote.

    BadInputError if the file cannot be used.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(_bytes_of(file, text("name another file")))) as archive:
            if sum(one.file_size for one in archive.infolist()) > _SIZE_MOST:
                raise BadInputError(
                    text("claims to be huge"), where=str(file), next_step=text("export it anew")
                )
            content = {one.filename: archive.read(one) for one in archive.infolist()}
    except BadInputError:
        raise
    except _DAMAGED_ZIP as error:
        raise BadInputError(
            text("no exported rig ({why})", why=str(error)),
            where=str(file),
            next_step=text("companion setup --export makes one"),
        ) from None
    if "rig.toml" not in content:
        raise BadInputError(
            text("no exported rig"), where=str(file), next_step=text("companion setup --export makes one")
        )

    def part(name: str) -> bytes:
        if name not in content:
            raise BadInputError(
                text("lacks {name}", name=name), where=str(file), next_step=text("export it anew")
            )
        return content[name]

    try:
        return _parsed(content["rig.toml"], str(file), part)
    except BadInputError as error:
        next_step = error.next_step or text("export it anew")
        raise BadInputError(error.what, where=error.where, next_step=next_step) from None


def check_name(name: str) -> None:
    """Raise BadInputError unless a rig may have this name.

    Names have 1 to 40 of a-z, 0-9 and hyphens.
    """
    if not _NAME.fullmatch(name):
        raise BadInputError(
            text("no name of a rig"), where=repr(name[:60]), next_step=text("use a-z, 0-9 and -")
        )


def _plain(profile: RigProfile) -> dict[str, Any]:
    """Turn a profile into values for TOML.

    Empty fields, and those in files of their own, are left out.
    """
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


def _beside(profile: RigProfile) -> list[tuple[str, str, bytes]]:
    """Fields of a profile that have files of their own.

    (field, suffix, content) of each; empty fields are left out.
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
            if sum(one.file_size for one in archive.infolist()) > _SIZE_MOST:
                raise BadInputError(text("claims to be huge"), where=where)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            found = {kind: arrays[kind] for kind in arrays.files}
    except BadInputError:
        raise
    except _DAMAGED_ZIP as error:
        raise BadInputError(text("no array file ({why})", why=str(error)), where=where) from None
    if any(one.dtype != np.uint8 or one.ndim != 2 or one.shape[1] != PRESS_CELLS for one in found.values()):
        raise BadInputError(text("holds no presses"), where=where)
    return {kind: tuple(press.tobytes() for press in those) for kind, those in found.items()}


def _check_version(version: object, where: str) -> None:
    if isinstance(version, int) and version > VERSION:
        raise BadInputError(text("of a newer program"), where=where, next_step=text("update companion"))
    if not isinstance(version, int) or version < 1:
        raise BadInputError(text("no rig profile"), where=where)


def _parsed(data: bytes, where: str, part: Any) -> RigProfile:
    """Read a rig profile from its TOML file's bytes.

    `where`: named in errors. `part(name)` returns the content of a data file. BadInputError names no next
    step.
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


def _files(version: Path) -> dict[str, str]:
    """Data files that a version (TOML file) of a profile uses: field -> file name.

    {} if the version is unreadable.
    """
    try:
        plain = tomllib.loads(version.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return {}
    listed = {key: plain.get(key) for key in _BESIDE}
    return {key: str(one["file"]) for key, one in listed.items() if isinstance(one, dict) and "file" in one}


def _bytes_of(path: Path, next_step: str = "") -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(_SIZE_MOST + 1)
    except OSError as error:
        raise BadInputError(system_words(error), where=str(path), next_step=next_step) from None
    if len(data) > _SIZE_MOST:
        raise BadInputError(text("too large for a rig"), where=str(path), next_step=next_step)
    return data
