"""Checks of a machine and its rig; a support archive."""
