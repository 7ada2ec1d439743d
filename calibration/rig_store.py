"""The store of rig profiles: one versioned TOML file for each rig, and its former versions.

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
import re
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import tomlkit

from calibration.profile import VERSION, RigProfile, with_rig
from calibration.profile_files import (
    DAMAGED_ZIP,
    SIZE_MOST,
    bytes_of,
    files_beside,
    named_files,
    plain_of,
    profile_of,
)
from companion.core.config import Config, rigs_dir
from companion.core.errors import BadInputError
from companion.core.files import replace_file, write_new
from companion.core.language import text
from companion.core.table_names import own_plain_name

BACKUPS_KEPT = 20
"""Most former versions of a rig that are kept. A guess."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class DamagedRigError(BadInputError):
    """A rig exists, but its files cannot be used."""


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
        plain = plain_of(profile)
        for key, suffix, data in files_beside(profile):
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
            plain = plain_of(profile)
            for key, suffix, data in files_beside(profile):
                plain[key] = {"file": f"{key}.{suffix}"}
                archive.writestr(f"{key}.{suffix}", data)
            archive.writestr("rig.toml", tomlkit.dumps(plain))
        write_new(file, packed.getvalue(), overwrite=overwrite, option="--export")

    def beside(self, name: str, what: str) -> Path:
        """Path of a rig's file of `what` ("art" or "home").

        The folder of all rigs if there is no such file.
        """
        return self.folder / named_files(self._path(name)).get(what, "")

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
        return profile_of(bytes_of(path), str(path), lambda file: bytes_of(self.folder / file))

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


def check_name(name: str) -> None:
    """Raise BadInputError unless a rig may have this name.

    Names have 1 to 40 of a-z, 0-9 and hyphens.
    """
    if not _NAME.fullmatch(name):
        raise BadInputError(
            text("no name of a rig"), where=repr(name[:60]), next_step=text("use a-z, 0-9 and -")
        )


def read_exported(file: Path) -> RigProfile:
    """Read a rig from a zip file that `RigStore.export` wrote.

    BadInputError if the file cannot be used.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(bytes_of(file, text("name another file")))) as archive:
            if sum(one.file_size for one in archive.infolist()) > SIZE_MOST:
                raise BadInputError(
                    text("claims to be huge"), where=str(file), next_step=text("export it anew")
                )
            content = {one.filename: archive.read(one) for one in archive.infolist()}
    except BadInputError:
        raise
    except DAMAGED_ZIP as error:
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
        return profile_of(content["rig.toml"], str(file), part)
    except BadInputError as error:
        next_step = error.next_step or text("export it anew")
        raise BadInputError(error.what, where=error.where, next_step=next_step) from None


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
