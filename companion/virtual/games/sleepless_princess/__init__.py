"""Sleepless Princess on the virtual table: players, movements, things, and what a rig reports."""

from companion.virtual.games.sleepless_princess.virtual_princess import VirtualPrincess

VIRTUAL = VirtualPrincess()
