"""Table in home automation: MQTT with Home Assistant's device discovery."""
