"""The table in home automation: MQTT, with the device discovery of Home Assistant."""
