"""Table in home automation: MQTT, with device discovery of Home Assistant."""
