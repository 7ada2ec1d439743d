"""A whole Pico in emulation, MicroPython and all: only when `COMPANION_UF2` names its firmware file."""
