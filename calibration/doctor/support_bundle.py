"""Archive for a person who helps from afar, without names of people or hidden cards."""

import gzip
import io
import json
import platform
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec
import tomlkit

from calibration.doctor.all_checks import Examination, or_none
from calibration.doctor.masked_text import Mask
from calibration.wizard.step_result import Check
from companion import DISTRIBUTION
from companion.core.config import Config
from companion.core.errors import CompanionError
from companion.core.files import write_new
from companion.core.language import in_english
from companion.games.registry import load_configured
from firmware.flashing.manifest import code_hash

FOLDER = "companion-support"
_README = """A support archive of companion, made {made}.

{files}

Serial numbers, RFID tags, addresses, home folders and names of people are replaced by numbered words.
{left_out}
"""
_WHAT = {
    "checks.json": "what companion doctor found",
    "versions.json": "program, Python, packages, machine",
    "board.json": "what the board said",
    "settings.json": "the settings",
    "rig.toml": "what is known of the rig",
    "health.jsonl": "what the last game noticed of its sensors",
    "camera.jpg": "a picture of the table; it may show people",
    "journal.jsonl": "the whole last game, WITH HIDDEN CARDS and names: nobody who plays it may read it",
}
_JPEG_QUALITY = 90


@dataclass(frozen=True, slots=True)
class Wanted:
    """Choice of what a support archive holds besides findings.

    `pictures`: a picture of the table. `hidden`: the journal of the last game, with its hidden cards.
    """

    pictures: bool = False
    hidden: bool = False


def write_bundle(
    file: Path,
    examination: Examination,
    checks: Sequence[Check],
    wanted: Wanted,
    made: datetime,
    *,
    overwrite: bool = False,
) -> list[str]:
    """Write the support archive (tar.gz); return the names of the files in it.

    Only its owner can read it. `made`: time of its making. Equal findings and times give equal bytes.
    BadInputError if `file` exists (unless `overwrite`), or cannot be written.
    """
    files = collected(examination, checks, wanted, made)
    data = _packed(files, made)
    write_new(file, data, overwrite=overwrite, option="--bundle", private=True)
    return list(files)


def collected(
    examination: Examination, checks: Sequence[Check], wanted: Wanted, made: datetime
) -> dict[str, bytes]:
    """Collect the files of the support archive: name -> content.

    Secrets are masked. `wanted`: what it holds besides `checks`.
    """
    mask = _mask(examination)
    board, journal = examination.known_board, examination.probes.journal()
    files = {
        "checks.json": _json(
            _masked([msgspec.to_builtins(check, enc_hook=in_english) for check in checks], mask)
        ),
        "versions.json": _json(_masked(_versions(examination), mask)),
        "settings.json": _json(_masked(_settings(examination), mask)),
    }
    if board is not None:
        files["board.json"] = _json(_masked(msgspec.to_builtins(board, enc_hook=in_english), mask))
    rig = examination.known_rig
    if rig is not None:
        files["rig.toml"] = tomlkit.dumps(_masked(_profile(rig.name, rig.profile), mask)).encode()
    health = _health(journal, mask) if journal else None
    if health is not None:
        files["health.jsonl"] = health
    look = or_none(lambda: examination.look)
    if wanted.pictures and look is not None:
        import cv2

        files["camera.jpg"] = bytes(
            cv2.imencode(".jpg", look.image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1]
        )
    if wanted.hidden and journal is not None:
        files["journal.jsonl"] = journal.read_bytes()
    left_out = [
        *([] if wanted.pictures else ["pictures (--with-pictures)"]),
        *([] if wanted.hidden else ["the journal, with its hidden cards (--with-hidden)"]),
    ]
    readme = _README.format(
        made=made.isoformat(timespec="minutes"),
        files="\n".join(f"{name:<15} {_WHAT[name]}" for name in files),
        left_out=f"Left out: {'; '.join(left_out)}." if left_out else "Nothing was left out.",
    )
    return {"README.txt": readme.encode(), **files}


def _mask(examination: Examination) -> Mask:
    """Make the mask for all secrets in settings, rig and board."""
    used, board = examination.used, examination.known_board
    secrets = [*used.tags, *used.names, *used.player_names, used.fingerprints.board]
    secrets += [] if board is None else [board.board_id]
    game = load_configured(used.game, used.parts) if or_none(lambda: examination.settings) else None
    codes = {card.code for variant in game.variants for card in game.cards(variant)} if game else set()
    versions = [one.version for one in examination.probes.libraries().packages]
    kept = [f"{code_hash():08x}", "" if board is None else board.code, *versions]
    journal = examination.probes.journal()
    files = [_whole(one) for one in _sources(examination)]
    files += [] if journal is None else [str(journal), journal.name]
    return Mask(Path.home(), examination.probes.user(), secrets, codes, kept, filter(None, files))


def _sources(examination: Examination) -> list[str]:
    """Names of the cameras in options, settings and rig; some may be ""."""
    rig = examination.known_rig
    return [examination.camera, examination.used.camera, "" if rig is None else rig.profile.camera]


def _whole(camera: str) -> str:
    """Name of a camera if it may reveal a household, as addresses and files do.

    "" for a device.
    """
    return "" if not any(mark in camera for mark in "/.@") or camera.startswith("/dev/") else camera


def _masked(value: Any, mask: Mask) -> Any:
    """Copy a nested value with every string masked, mapping keys included."""
    match value:
        case str():
            return mask.text(value)
        case Mapping():
            return {mask.text(str(key)): _masked(one, mask) for key, one in value.items()}
        case list() | tuple():
            return [_masked(one, mask) for one in value]
    return value


def _versions(examination: Examination) -> dict[str, Any]:
    found = examination.probes.libraries()
    return {
        "companion": metadata.version(DISTRIBUTION),
        "board_code": f"{code_hash():08x}",
        "python": ".".join(map(str, examination.probes.python())),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "packages": {one.name: one.version or "none" for one in found.packages},
    }


def _settings(examination: Examination) -> dict[str, Any]:
    """Settings as they were read, or the error.

    Tags and presses are only counted, because they would reveal single cards.
    """
    try:
        settings: Config = examination.settings
    except CompanionError as error:
        return {"error": str(error)}
    plain: dict[str, Any] = msgspec.to_builtins(settings)
    plain["textures"] = {kind: len(presses) for kind, presses in settings.textures.items()}
    plain["tags"] = len(settings.tags)
    return plain


def _profile(name: str, profile: Any) -> dict[str, Any]:
    """Rig profile as TOML values.

    Tags and presses are only counted, pictures given as their size in bytes.
    """
    bare = msgspec.structs.replace(profile, presses={}, tags={}, art=b"", home=b"")
    plain: dict[str, Any] = msgspec.to_builtins(bare)
    plain["art"], plain["home"] = len(profile.art), len(profile.home)
    plain["name"] = name
    plain["presses"] = {kind: len(those) for kind, those in profile.presses.items()}
    plain["tags"] = len(profile.tags)
    filled: dict[str, Any] = _filled(plain)
    return filled


def _filled(value: Any) -> Any:
    """Copy a nested value without None entries, which TOML cannot hold."""
    if isinstance(value, dict):
        return {key: _filled(one) for key, one in value.items() if one is not None}
    return value


def _health(journal: Path, mask: Mask) -> bytes | None:
    """Lines of the last game's journal on sensor faults, masked.

    They hold no moves and no cards. None if the journal cannot be read.
    """
    from companion.session.journal.journal import read_journal
    from companion.session.journal.journal_lines import Noticed

    try:
        recorded = read_journal(journal)
    except CompanionError:
        return None
    opened = recorded.opened
    first = {
        "game": opened.game,
        "variant": opened.variant,
        "players": opened.players,
        "program": opened.program,
    }
    noticed = [
        {"t": round(line.t), "source": mask.text(line.source), "ok": line.ok, "detail": mask.text(line.detail)}
        for line in recorded.lines
        if isinstance(line, Noticed)
    ]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (first, *noticed)).encode()


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


def _packed(files: Mapping[str, bytes], made: datetime) -> bytes:
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", filename="", mtime=made.timestamp()) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as archive,
    ):
        for name, data in files.items():
            entry = tarfile.TarInfo(f"{FOLDER}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), 0o600, int(made.timestamp())
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()
