"""What is known of a rig, in words or as JSON: `companion setup --show`."""

import json
from typing import TYPE_CHECKING, Any

import click

from companion.core.language import listed, text
from companion.core.printable import say
from companion.core.sensor_terms import place_name

if TYPE_CHECKING:
    from calibration.profile import RigProfile
    from calibration.rig_store import RigStore


def show_all(store: "RigStore", as_json: bool) -> None:
    """Print what is known of the only rig.

    If there are several, or damaged ones, a list of their names is printed instead.
    """
    from calibration.rig_store import DamagedRigError

    names = store.names()
    lines: dict[str, str] = {}
    damaged: dict[str, str] = {}
    for name in names:
        try:
            lines[name] = text("{rig}: last change {when}", rig=name, when=store.load(name).made)
        except DamagedRigError as error:
            damaged[name] = error.told
            lines[name] = text("{rig}: damaged ({why})", rig=name, why=error.told)
    if len(names) == 1 and not damaged:
        show_rig(store, names[0], as_json)
    elif as_json:
        click.echo(json.dumps({"rigs": names, "damaged": damaged}))
    else:
        for line in lines.values():
            say(line)
        if len(damaged) < len(names):
            say(text("More of one of them: {command}", command="companion setup --show --rig NAME"))


def show_rig(store: "RigStore", name: str, as_json: bool, done: str = "") -> None:
    """Print what is known of the rig `name`. `done`: sentence to print first; "": none."""
    from calibration.doctor.check_words import VERDICTS
    from calibration.wizard.setup_run import TITLES

    profile = store.load(name)
    found = summary(profile)
    report: dict[str, Any] = {"rig": name, "rigs": store.names(), "backups": store.backups(name), **found}
    if as_json:
        click.echo(json.dumps(report))
        return
    if done:
        say(done)
    for key, words in _KNOWN.items():
        say(words.of(what=found[key]))
    for step, record in profile.steps.items():
        say(text("{step}: {verdict}", step=TITLES.get(step, step), verdict=VERDICTS[record.verdict]))


_KNOWN = {
    "made": text("Last change: {what}"),
    "camera": text("Camera: {what}"),
    "port": text("Port of the board: {what}"),
    "lens": text("Lens: {what}"),
    "pictures": text("Printed pictures: {what}"),
    "tags": text("Tags: {what}"),
    "presses": text("Presses of raised pictures: {what}"),
    "stations": text("Stations that were weighed: {what}"),
    "electrodes": text("Electrodes with a threshold of their own (rest, touched): {what}"),
    "crossed_wires": text("Crossed wires that are read right: {what}"),
    "buttons": text("Buttons that were pushed and heard as their own: {what}"),
}
"""Key of a rig's `summary` -> line that `--show` prints about it."""


def _electrodes(profile: "RigProfile") -> str:
    """Words on readings of touch electrodes: at rest, and touched.

    They are raw counts of the sensor chip. "none known" if none was measured.
    """
    told = tuple(
        text(
            "{place} {rest}, {touched}",
            place=place_name(name),
            rest=round(one.rest),
            touched=round(one.touched),
        )
        for name, one in sorted(profile.electrodes.items())
    )
    return listed(told) if told else text("none known")


def summary(profile: "RigProfile") -> dict[str, Any]:
    """What is known of a rig, as plain values for --show and JSON.

    Keys: "made", "camera", "port", "lens", "pictures", "electrodes" (text each), "steps" (list of "step
    verdict"), and counts "tags", "presses", "stations", "crossed_wires" and "buttons".
    """
    found: dict[str, Any] = {
        "made": profile.made,
        "camera": profile.camera or text("none known"),
        "port": profile.port or text("none known"),
        "lens": text("measured") if profile.lens else text("guessed from the corners of the mat"),
        "pictures": text("enrolled") if profile.art else text("none known"),
        "tags": len(profile.tags),
        "presses": sum(map(len, profile.presses.values())),
        "stations": len(profile.stations),
        "electrodes": _electrodes(profile),
        "crossed_wires": sum(map(len, profile.wires.values())),
        "buttons": len(profile.buttons),
    }
    found["steps"] = [f"{name} {record.verdict}" for name, record in profile.steps.items()]
    return found
