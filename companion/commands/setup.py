"""`companion setup`: the rig profiles that the setup wizard writes."""

import json
import zipfile
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.option_types import FILE_PATH
from companion.core.printable import say

if TYPE_CHECKING:
    from calibration.profile import RigProfile, RigStore


@click.command()
@click.option("--rig", metavar="NAME", help="Which rig; the only one, or a new one, without it.")
@click.option("--show", is_flag=True, help="Say what is known of the rig.")
@click.option("--export", "export_to", metavar="FILE", type=FILE_PATH, help="Write the rig into one file.")
@click.option(
    "--import",
    "import_from",
    metavar="FILE",
    type=FILE_PATH,
    help="Take a rig over: an exported one, or a companion.toml of an older program.",
)
@click.option("--restore", metavar="DATE", help="Go back to a former version; `last` is the newest.")
@click.option("--force", is_flag=True, help="Overwrite the file of --export.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def setup(
    rig: str | None,
    show: bool,
    export_to: Path | None,
    import_from: Path | None,
    restore: str | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show, export, import or restore what is known of a rig: camera, cards, scales, wires."""
    from calibration.profile import DEFAULT_NAME, RigStore

    if sum((show, export_to is not None, import_from is not None, restore is not None)) != 1:
        raise BadInputError(
            "one thing at a time", where="setup", next_step="give --show, --export, --import or --restore"
        )
    store, now = RigStore(), datetime.now().astimezone()
    if import_from is not None:
        name = rig or DEFAULT_NAME
        store.save(name, _imported(import_from), now)
        _say(store, name, as_json, f"{name}: taken over from {import_from}")
        return
    name = store.usual(rig or load_config().rig)
    if not name:
        raise BadInputError("no rig was set up yet", where="setup", next_step="see companion setup --help")
    if export_to is not None:
        store.export(name, export_to, overwrite=force)
        _say(store, name, as_json, f"{name}: written to {export_to}")
        return
    if restore is not None:
        profile = store.restore(name, "" if restore == "last" else restore, now)
        _say(store, name, as_json, f"{name}: as it was, saved again {profile.made}")
        return
    _say(store, name, as_json)


def _imported(file: Path) -> "RigProfile":
    """The rig in an exported archive or in a settings file."""
    from calibration.profile import migrated, read_exported

    if zipfile.is_zipfile(file):
        return read_exported(file)
    profile = migrated(load_config(file))
    if not (
        profile.camera or profile.port or profile.tags or profile.presses or profile.stations or profile.lens
    ):
        raise BadInputError(
            "tells nothing of a rig",
            where=str(file),
            next_step="name a file of companion setup --export, or a companion.toml",
        )
    return profile


def _say(store: "RigStore", name: str, as_json: bool, done: str = "") -> None:
    profile = store.load(name)
    found = summary(profile)
    report: dict[str, Any] = {"rig": name, "rigs": store.names(), "backups": store.backups(name), **found}
    if as_json:
        click.echo(json.dumps(report))
        return
    if done:
        say(done)
    for key, value in found.items():
        say(f"{key}: {', '.join(map(str, value)) if isinstance(value, list) else value}")


def summary(profile: "RigProfile") -> dict[str, Any]:
    """What is known of a rig, in a few plain values; no tag and no press."""
    found: dict[str, Any] = {
        "made": profile.made,
        "camera": profile.camera or "none",
        "port": profile.port or "none",
        "lens": "measured" if profile.lens else "from the corners of the mat",
        "tags": len(profile.tags),
        "presses": sum(map(len, profile.presses.values())),
        "stations": len(profile.stations),
        "crossed_wires": sum(map(len, profile.wires.values())),
    }
    found["steps"] = [f"{name} {record.verdict}" for name, record in profile.steps.items()]
    return found
