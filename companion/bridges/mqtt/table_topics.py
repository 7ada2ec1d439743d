"""Topics of a table on a broker, its state as plain values, its Home Assistant device.

companion/TABLE/bridge   online or offline: the bridge; its last will (retained)
companion/TABLE/engine   online or offline: the engine behind it (retained)
companion/TABLE/state    the public state as JSON (retained)
homeassistant/device/companion_TABLE/config    the device with its entities (retained)
"""

import socket
from typing import Any

from companion import __version__
from companion.core.language import localized, tr
from companion.core.printable import printable
from companion.core.sensor_terms import sensor_name
from companion.core.table_names import LONGEST_NAME, own_name, plain_name
from companion.dashboard.labels import title, without_paths
from companion.dashboard.model import Link, PublicModel
from companion.dashboard.widgets.banner import call_of
from companion.session.stream.events import Claimed

ROOT, DISCOVERY = "companion", "homeassistant"
"""First level of topics.

ROOT: topics of tables. DISCOVERY: topics on which Home Assistant finds devices.
"""
ONLINE, OFFLINE = "online", "offline"
"""Content of the topics "bridge" and "engine"."""
State = dict[str, Any]
"""State of a table, or a Home Assistant device, as plain values for JSON."""


def table_name(given: str = "") -> str:
    """Table's name in topics: letters, digits, "-" or "_".

    It is made from `given`, else from the name of this process's table (`--at`), else from this machine's name.
    """
    return plain_name(given or own_name() or socket.gethostname())


def topic(table: str, of: str) -> str:
    """Topic of a table: "companion/TABLE/OF".

    `of`: "bridge", "engine", "state" or "owner".
    """
    return f"{ROOT}/{table}/{of}"


def discovery_topic(table: str, prefix: str = DISCOVERY) -> str:
    """Topic on which Home Assistant finds the table's device.

    It is "PREFIX/device/companion_TABLE/config".
    """
    return f"{prefix}/device/companion_{table}/config"


def state_of(model: PublicModel, verdict: Claimed | None) -> State:
    """Table's public facts as plain values for JSON.

    Everybody may know them. {"live": False} if no game is followed. Else "game", "players" (names), "turn",
    "player" (name of who is on turn), "call" (what to do), "question", "verdict", "score", "over", "paused",
    "sensors" (name -> True if it works), "faults" (sentences) and more. A missing value is None, which is not
    zero. `verdict`: the latest claim of this game; None: none yet.
    """
    hello, table, names = model.welcome, model.table, model.names
    live = model.link is Link.LIVE and not model.foreign
    if hello is None or table is None or not live:
        return {"live": False}
    call = call_of(model, names)
    sleepers = [place.badge == "asleep" for place in table.places if place.figure == "sleeper"]
    failing = [one for one in model.health.values() if not one.ok]
    score = model.score if table.over else None
    return {
        "live": model.fresh,
        "game": title(hello.game),
        "variant": hello.variant,
        "players": [names.name(player) for player in range(1, hello.players + 1)],
        "turn": table.turn or None,
        "player": names.name(table.player) if table.player else None,
        "phase": table.phase,
        "call": localized(call.big).upper(),
        "asleep": sum(sleepers) if sleepers else None,
        "question": names.put_into(model.question.text) or None,
        "put_right": names.put_into(table.put_right) or None,
        "verdict": verdict.verdict if verdict else None,
        "verdict_about": names.put_into(verdict.name) if verdict else None,
        "verdict_text": localized(verdict.text) if verdict else None,
        "score": score.score if score else None,
        "out_of": score.out_of if score else None,
        "result": names.put_into(score.line) if score else None,
        "over": table.over,
        "paused": table.paused,
        "sensors": {name: one.ok for name, one in sorted(model.health.items())},
        "failing": len(failing),
        "faults": [_fault(localized(sensor_name(one.source)), without_paths(one.detail)) for one in failing],
        "said": names.put_into(model.said[-1].text) if model.said else None,
    }


def device_of(table: str, shown: str = "") -> State:
    """Table as a Home Assistant device (2024.11 or newer).

    It has an entity for each value that people use, by the key "components". `table`: name in topics. `shown`:
    name as people wrote it; "": made from `table`.
    """
    name = printable(shown)[:LONGEST_NAME] or table.replace("-", " ").replace("_", " ").title()
    entities = {
        "game": _sensor("Game", "game", icon="mdi:cards"),
        "turn": _sensor("Turn", "turn", icon="mdi:counter"),
        "player": _sensor("Player on turn", "player", icon="mdi:account"),
        "phase": _sensor("Phase", "phase", icon="mdi:state-machine"),
        "call": _sensor("What to do", "call", icon="mdi:gesture-tap"),
        "verdict": _sensor("Verdict", "verdict", icon="mdi:gavel"),
        "score": _sensor("Score", "score", icon="mdi:star"),
        "result": _sensor("Result", "result", icon="mdi:trophy"),
        "question": _sensor("Question", "question", icon="mdi:help-circle"),
        "put_right": _sensor("Put right", "put_right", icon="mdi:hand-back-right"),
        "failing": _sensor("Failing sensors", "failing", icon="mdi:alert", entity_category="diagnostic"),
        "over": _binary("Game over", "value_json.over", icon="mdi:flag-checkered"),
        "camera": _problem("Camera", "camera"),
        "board": _problem("Board", "board"),
    }
    for key, one in entities.items():
        one["unique_id"] = f"companion_{table}_{key}"
    entities["failing"] |= {
        "json_attributes_topic": topic(table, "state"),
        "json_attributes_template": "{{ {'faults': value_json.faults | default([])} | tojson }}",
    }
    entities["verdict"] |= {
        "json_attributes_topic": topic(table, "state"),
        "json_attributes_template": (
            "{{ {'about': value_json.verdict_about | default(none), "
            "'text': value_json.verdict_text | default(none)} | tojson }}"
        ),
    }
    device = {
        "identifiers": [f"companion_{table}"],
        "name": f"Table {name}",
        "manufacturer": "companion",
        "model": "game table",
        "sw_version": __version__,
    }
    return {
        "device": device,
        "origin": {"name": "companion", "sw_version": __version__},
        "components": entities,
        "state_topic": topic(table, "state"),
        "availability": [{"topic": topic(table, "bridge")}, {"topic": topic(table, "engine")}],
        "availability_mode": "all",
        "qos": 1,
    }


def _fault(sensor: str, detail: str) -> str:
    """Sentence about a failing sensor. `detail`: what is wrong; "": unknown."""
    return tr("{sensor}: {what}", sensor=sensor, what=detail) if detail else sensor


def _sensor(name: str, value: str, **more: Any) -> State:
    """Home Assistant entity that shows a value. `value`: its key in the table's state."""
    # None is written as "None", which Home Assistant takes for unknown. A state has at most 255 letters.
    cut = f"value_json.{value}[:250] if value_json.{value} is string else value_json.{value}"
    return {"platform": "sensor", "name": name, "value_template": f"{{{{ {cut} }}}}", **more}


def _binary(name: str, condition: str, **more: Any) -> State:
    """Home Assistant entity that is on while a condition (a Jinja expression) is true."""
    template = f"{{{{ 'ON' if {condition} | default(false) else 'OFF' }}}}"
    return {"platform": "binary_sensor", "name": name, "value_template": template, **more}


def _problem(name: str, sensor: str) -> State:
    """Home Assistant entity that is on while a sensor fails, and unknown until it has reported.

    `name`: for people. `sensor`: its name in the table's state.
    """
    heard = f"value_json.sensors is defined and '{sensor}' in value_json.sensors"
    failing = f"'OFF' if value_json.sensors['{sensor}'] else 'ON'"
    return {
        "platform": "binary_sensor",
        "name": name,
        "device_class": "problem",
        "entity_category": "diagnostic",
        "value_template": f"{{{{ ({failing}) if {heard} else none }}}}",
    }
