"""The device as Home Assistant reads it: its schema, and every template evaluated on what tables really said.

Schema: `DEVICE_DISCOVERY_SCHEMA` and the entities' schemas in homeassistant/components/mqtt
(2024.11 and later).
"""

import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from random import Random
from typing import Any

import jinja2
import msgspec
import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment

from companion.bridges.mqtt.table_topics import device_of, discovery_topic, state_of, topic
from companion.dashboard.model import PublicModel
from companion.games.registry import GAME_NAMES, load_game
from companion.session.stream.events import PROTOCOL, Claimed, Question, Score, SensorHealth, Table, Welcome
from companion.session.stream.stream import as_shown
from tests.benchmarks.dashboard_bench import played

DEVICE = {
    *("identifiers", "connections", "manufacturer", "model", "model_id", "name", "hw_version", "sw_version"),
    *("serial_number", "via_device", "suggested_area", "configuration_url"),
}
WHOLE = {"device", "origin", "components", "state_topic", "command_topic", "qos", "encoding"}
WHOLE |= {"availability", "availability_mode"}
ENTITY = {
    *("platform", "name", "unique_id", "icon", "entity_category", "device_class", "value_template"),
    *("json_attributes_topic", "json_attributes_template"),
}
LONGEST_STATE = 255
GAMES = pytest.mark.parametrize("name", GAME_NAMES)


def states(name: str) -> Iterator[dict[str, Any]]:
    """What the bridge says of a game, as Home Assistant parses it."""
    game = load_game(name)
    model = PublicModel()
    model.connected(True)
    variant, names = next(iter(game.variants)), ("Anna", "Bénédicte", "<C>")
    model.take(Welcome(PROTOCOL, "test", name, variant, 3, names=names))
    verdict = None
    events = chain.from_iterable(islice(played(game, Random(5)), 25))
    failing = SensorHealth("camera", False, "the mat is out of sight: " + 300 * "x")
    claimed = Claimed(1.0, 1, 'the "first" {{ bed }}', "proved", "She sleeps!", "asleep", ())
    more = [failing, SensorHealth("board", True), Question("Was it <hers>?" + 300 * "y"), claimed]
    last, *_ = next(played(game, Random(6)))
    assert isinstance(last, Table)
    over = msgspec.structs.replace(last, over=True)
    score = Score(0, 5, "0 OF 5", "asleep", "0 of 5", "Well.", last.places, 12)
    for event in (*events, *more, score, over, score):
        verdict = event if isinstance(event, Claimed) else verdict
        model.take(as_shown(event))
        state = state_of(model, verdict)
        if state["live"]:
            yield json.loads(msgspec.json.encode(state))


def rendered(template: str, state: dict[str, Any]) -> str:
    """As Home Assistant does it: sandboxed, what is missing is an error here."""
    environment = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined)
    return environment.from_string(template).render(value_json=state, value=json.dumps(state)).strip()


def test_the_device_is_one_by_home_assistants_schema() -> None:
    device = json.loads(msgspec.json.encode(device_of("living-room")))
    assert set(device) <= WHOLE
    assert {"device", "origin", "components"} <= set(device)
    assert set(device["device"]) <= DEVICE
    assert device["device"]["identifiers"]
    assert set(device["origin"]) <= {"name", "sw_version", "support_url"}
    assert device["origin"]["name"]
    assert device["availability_mode"] in ("all", "any", "latest")
    assert [set(one) for one in device["availability"]] == [{"topic"}, {"topic"}]
    assert device["qos"] in (0, 1, 2)
    # Home Assistant takes no other topics: component, an id of letters, digits, - and _, config.
    assert re.fullmatch(r"homeassistant/device/[a-zA-Z0-9_-]+/config", discovery_topic("living-room"))
    for key, one in device["components"].items():
        assert set(one) <= ENTITY, key
        assert one["platform"] in ("sensor", "binary_sensor")
        assert one["unique_id"] == f"companion_living-room_{key}"
        assert one["icon"].startswith("mdi:") if "icon" in one else one["device_class"] == "problem"
        assert one.get("entity_category", "diagnostic") == "diagnostic"
        assert one.get("json_attributes_topic", device["state_topic"]) == topic("living-room", "state")


@pytest.mark.quick(1)
@GAMES
def test_templates_give_states_that_home_assistant_takes(name: str) -> None:
    parts = device_of("kitchen")["components"]
    seen: dict[str, set[str]] = {key: set() for key in parts}
    for state in states(name):
        for key, one in parts.items():
            shown = rendered(one["value_template"], state)
            seen[key].add(shown)
            assert 0 < len(shown) <= LONGEST_STATE, key
            if one["platform"] == "binary_sensor":
                assert shown in ("ON", "OFF", "None"), key
            elif not isinstance(state[key], str):
                assert shown == str(state[key]), key  # "None" is read as unknown
            if template := one.get("json_attributes_template"):
                assert isinstance(json.loads(rendered(template, state)), dict)
    assert {"ON", "OFF"} <= seen["over"]
    assert seen["camera"] == {"None", "ON"}
    assert seen["board"] == {"None", "OFF"}
    assert {"None", "proved"} == seen["verdict"]
    assert seen["score"] == {"None", "0"}
    assert "Bénédicte" in seen["player"]


def test_attributes_carry_signs_of_all_kinds() -> None:
    *_, last = states(GAME_NAMES[0])
    parts = device_of("kitchen")["components"]
    about = json.loads(rendered(parts["verdict"]["json_attributes_template"], last))
    assert about == {"about": 'the "first" {{ bed }}', "text": "She sleeps!"}
    faults = json.loads(rendered(parts["failing"]["json_attributes_template"], last))
    assert faults == {"faults": last["faults"]}
    assert len(faults["faults"]) == 1
