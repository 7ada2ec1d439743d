"""Checks of a machine and its rig, and the archive that a helper needs."""
