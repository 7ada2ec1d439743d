"""Rig profiles: what was found out about one rig, as one versioned TOML file with arrays beside it.

`NAME.toml` names its array file by content (`NAME-HASH.npz`), and that of cards known by their pictures
(`NAME-HASH.art`) and of a table without a mat (`NAME-HASH.home`), so that replacing the TOML file replaces
all at once. Former versions are kept in the folder `backups` beside it.
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

from calibration.step_result import Verdict
from companion.core.config import Config, ElectrodeConfig, Fingerprints, LensConfig, StationConfig, rigs_dir
from companion.core.errors import BadInputError
from companion.core.files import replace_file, write_new
from companion.core.language import text
from companion.core.system_words import system_words
from companion.core.table_names import own_plain_name

VERSION = 2
"""VERSION: newest version of the file format that this program writes: 2 has electrodes and reversed cells.
Older ones are read, newer ones refused."""
BACKUPS_KEPT = 20
"""Former versions of a rig that are kept; older ones are removed."""
PRESS_CELLS = 256
"""Crossings of a press: 16 x 16, row by row."""
_SIZE_MOST = 8 << 20
"""Largest file (bytes) that is read: a profile has some kilobytes."""
_BESIDE = ("presses", "art", "home")
"""_BESIDE: fields that are kept in files beside the TOML."""
_UNKNOWN = re.compile(r"Object contains unknown field `([^`]*)`")
_UID = re.compile(r"([0-9a-f]{2}){2,10}")
_NAME_MOST = 400
"""_NAME_MOST: characters of the longest address of a camera."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


CARDS_KNOWN = ("cards", "art")
"""CARDS_KNOWN: setup steps after any of which the camera knows the cards, by stickers or by pictures."""


def default_name() -> str:
    """Name of a rig for which none was given: that of this process's table."""
    return own_plain_name() or "table"


class DamagedRigError(BadInputError):
    """A rig is there, but its files cannot be used."""


Press = NDArray[np.uint8]
"""PRESS_CELLS readings, 0 to 255."""


class StepRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Result of a setup step as it was when the step was done: verdict, number, unit, and time (ISO 8601)."""

    verdict: Verdict
    at: str
    number: float | None = None
    unit: str = ""


class RigProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rig. What it does not know is empty."""

    version: int = 1
    made: str = ""
    """Time of the last change, ISO 8601."""
    game: str = ""
    variant: str = ""
    camera: str = ""
    """The camera as `--camera` takes it."""
    port: str = ""
    """The board's port as `--port` takes it."""
    fingerprints: Fingerprints = Fingerprints()
    lens: LensConfig | None = None
    tags: dict[str, str] = {}
    """RFID tag (hex) -> card code."""
    presses: dict[str, tuple[bytes, ...]] = {}
    """Kind of a textured card -> presses of it, PRESS_CELLS bytes each. In the array file, not in TOML."""
    art: bytes = b""
    """Cards known by their pictures, as `vision.art.art_book` writes them. In a file beside the TOML."""
    home: bytes = b""
    """Where the zones lie on a table without a mat, as `vision.mat.home` writes it; empty with a mat. In a file
    beside the TOML."""
    names: tuple[str, ...] = ()
    """The family's names for characters of the game that the rulebook leaves unnamed."""
    stations: dict[str, StationConfig] = {}
    electrodes: dict[str, ElectrodeConfig] = {}
    """Station -> readings of its touch electrode at rest and under a finger, and the threshold."""
    wires: dict[str, dict[str, str]] = {}
    buttons: tuple[str, ...] = ()
    """Stations whose claim button was pushed and heard as theirs, with crossed wires put right; sorted."""
    steps: dict[str, StepRecord] = {}
    """Name of a setup step -> its last result."""
    virtual_seed: int | None = None
    """Set of cards of the virtual table on which this rig was set up; None for a real one."""

    def has_done(self, step: str) -> bool:
        """True if this setup step ended good or usable."""
        record = self.steps.get(step)
        return record is not None and record.verdict is not Verdict.NOT_GOOD

    def __post_init__(self) -> None:
        if any(len(press) != PRESS_CELLS for those in self.presses.values() for press in those):
            raise ValueError(f"a press has {PRESS_CELLS} crossings")


def migrated(settings: Config) -> RigProfile:
    """The rig that an older settings file describes in its tables [tags], [textures], [stations] and [lens]."""
    try:
        presses = {
            kind: tuple(bytes.fromhex(press) for press in those) for kind, those in settings.textures.items()
        }
        return RigProfile(
            game=settings.game,
            variant=settings.variant,
            names=settings.names,
            camera=settings.camera,
            port=settings.port,
            fingerprints=settings.fingerprints,
            lens=settings.lens,
            tags=dict(settings.tags),
            presses=presses,
            stations=dict(settings.stations),
            electrodes=dict(settings.electrodes),
            wires=settings.wires,
            buttons=settings.buttons,
        )
    except ValueError as error:
        raise BadInputError(str(error), where="textures", next_step=text("enrol it anew")) from None


def with_rig(settings: Config, profile: RigProfile) -> Config:
    """The settings with what the rig profile knows. Where both say something, the profile counts, but for the
    game: one rig can play several."""
    game = settings.game or profile.game
    textures = {kind: [press.hex() for press in those] for kind, those in profile.presses.items()}
    return msgspec.structs.replace(
        settings,
        game=game,
        names=profile.names if profile.names and game == profile.game else settings.names,
        camera=profile.camera or settings.camera,
        port=profile.port or settings.port,
        lens=profile.lens or settings.lens,
        tags=settings.tags | profile.tags,
        textures=settings.textures | textures,
        stations=settings.stations | profile.stations,
        electrodes=settings.electrodes | profile.electrodes,
        wires=settings.wires | profile.wires,
        buttons=profile.buttons or settings.buttons,
        fingerprints=profile.fingerprints,
    )


def configured_rig(settings: Config, named: str | None, game: str | None = None) -> Config:
    """The settings with the rig of this name, with the one they name, or with the only one there is.

    A rig that was set up on a virtual table is used only by name. Its pictures of cards count for the game that
    they were enrolled for: `game` is the one that is played, if it is not that of settings and rig.
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
    """The settings with the files beside a rig's profile, as far as they count for the game."""
    if (game or settings.game) != profile.game:
        return settings
    files = {what: str(store.beside(name, what)) for what in ("art", "home") if getattr(profile, what)}
    return msgspec.structs.replace(settings, **files)


def virtual_rig(name: str, game: str, variant: str) -> RigProfile:
    """The profile of that name; BadInputError if it is not of a virtual table with this game's cards."""
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
    """The command that sets a virtual rig up for a game and variant, its table and cards as they were."""
    told = f"companion setup --table virtual --auto --rig {name} --game {game} --variant {variant}"
    kept = (" --mat none" if found.home else "") + (" --cards art" if found.art else "")
    return told + kept if found.virtual_seed is not None else told


class RigStore:
    """The profiles of one folder, by default those of the user.

    `write` replaces a file whole, or raises OSError.
    """

    def __init__(
        self, folder: Path | None = None, write: "Callable[[Path, bytes], None] | None" = None
    ) -> None:
        self.folder = rigs_dir() if folder is None else folder
        self._write = write or replace_file

    def names(self) -> tuple[str, ...]:
        """Names of all rigs, in alphabetical order."""
        found = (path.stem for path in self.folder.glob("*.toml"))
        return tuple(sorted(name for name in found if _NAME.fullmatch(name)))

    def usual(self, named: str = "") -> str:
        """The rig to use: `named`, or the only one there is; "" for none. A table with a name uses only the rig
        of its own name: another one is that of another table.

        BadInputError if it does not exist, or if there are several and none is named.
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
        """The rig of that name; BadInputError if there is no such name, DamagedRigError if its files cannot be
        used."""
        check_name(name)
        try:
            return self._read(self._path(name))
        except BadInputError as error:
            next_step = self._way_on(name, newer=bool(error.next_step))
            raise DamagedRigError(error.what, where=error.where, next_step=next_step) from None

    def save(self, name: str, profile: RigProfile, now: datetime, *, backup: bool = True) -> RigProfile:
        """Write the rig atomically; the version that was there becomes a backup. Returns what was written.

        Without `backup` it is replaced: a step that keeps its progress would push out all former versions.

        OSError if the disk is full or may not be written to: then the former version is as it was.
        """
        check_name(name)
        version = _least_version(profile)
        profile = msgspec.structs.replace(profile, version=version, made=now.isoformat(timespec="seconds"))
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
        """Dates of the former versions of a rig, the newest first."""
        found = (path.stem.removeprefix(f"{name}@") for path in self._backup_folder.glob(f"{name}@*.toml"))
        return tuple(sorted(found, reverse=True))

    def restore(self, name: str, date: str, now: datetime) -> RigProfile:
        """Make a former version (its date, or "" for the newest) the present one, which becomes a backup."""
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
        """Write the rig into one file (a zip archive), for another machine."""
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
        """The file with a rig's `art` (cards known by their pictures) or `home` (a table without a mat); the
        folder if there is none."""
        return self.folder / _files(self._path(name)).get(what, "")

    @property
    def _backup_folder(self) -> Path:
        return self.folder / "backups"

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def _way_on(self, name: str, *, newer: bool) -> str:
        """What to do about a rig that cannot be read. `newer`: only a newer program can."""
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
        """Remove backups beyond BACKUPS_KEPT, and files beside them that no version needs any more."""
        for date in self.backups(name)[BACKUPS_KEPT:]:
            (self._backup_folder / f"{name}@{date}.toml").unlink(missing_ok=True)
        versions = [self._path(name), *self._backup_folder.glob(f"{name}@*.toml")]
        ours = re.compile(re.escape(name) + r"-[0-9a-f]{12}\.(?:npz|art|home)")
        try:
            # By what stands in them: a version that a slip of the hand has damaged may be mended yet.
            texts = [one.read_bytes().decode(errors="replace") for one in versions if one.exists()]
        except OSError:
            return  # nobody knows what that version needs
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
"""What Python's reader of zip archives raises at damaged ones."""


def read_exported(file: Path) -> RigProfile:
    """The rig in an exported archive; BadInputError if it is none."""
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
    """BadInputError unless a rig can have this name: small letters, digits and hyphens, at most 40."""
    if not _NAME.fullmatch(name):
        raise BadInputError(
            text("no name of a rig"), where=repr(name[:60]), next_step=text("use a-z, 0-9 and -")
        )


def _least_version(profile: RigProfile) -> int:
    """The oldest version of the format that has all fields of a profile: older programs read what they can."""
    return 2 if profile.electrodes or any(one.reversed for one in profile.stations.values()) else 1


def _plain(profile: RigProfile) -> dict[str, Any]:
    """The profile as TOML values, without empty fields and without what is kept beside it."""
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(profile, presses={}, art=b"", home=b""))
    return {key: found for key, value in plain.items() if (found := _without_none(value)) not in ({}, "", None)}


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_none(one) for key, one in value.items() if one is not None and one != ""}
    return value


def _beside(profile: RigProfile) -> list[tuple[str, str, bytes]]:
    """What is kept beside the TOML file: field, suffix of its file, content. Only what is not empty."""
    found = [("presses", "npz", _packed(profile.presses)), ("art", "art", profile.art)]
    found.append(("home", "home", profile.home))
    return [one for one in found if one[2]]


def _packed(presses: Mapping[str, tuple[bytes, ...]]) -> bytes:
    """The array file of presses; empty without any. The same presses give the same bytes."""
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


def _parsed(data: bytes, where: str, part: Any) -> RigProfile:
    """The profile in the TOML text `data`; `part` gives the content of its array file by name.

    BadInputError, mostly without a next step: that depends on whether a former version is kept.
    """
    try:
        plain = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInputError(text("cannot be read ({why})", why=str(error)), where=where) from None
    version = plain.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        if isinstance(version, int) and version > VERSION:
            raise BadInputError(text("of a newer program"), where=where, next_step=text("update companion"))
        raise BadInputError(text("no rig profile"), where=where)
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
    """BadInputError for a lens that bends nothing like one, a tag that is no number, a name that no screen
    could show."""
    if profile.lens is not None:
        from companion.sensing.camera_source import measured  # with OpenCV, which takes half a second to load

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
    """Field of a version -> the file beside it that holds the field."""
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
