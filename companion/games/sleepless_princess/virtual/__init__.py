"""Sleepless Princess on a virtual table: who plays it, how, with what, and what a rig notices of it."""

from companion.games.sleepless_princess.virtual.virtual_princess import VirtualPrincess

VIRTUAL = VirtualPrincess()
