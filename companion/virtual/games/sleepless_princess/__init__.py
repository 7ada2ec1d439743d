"""Sleepless Princess on a virtual table: who plays it, how, with what, and what a rig notices of it."""

from companion.virtual.games.sleepless_princess.virtual_princess import VirtualPrincess

VIRTUAL = VirtualPrincess()
