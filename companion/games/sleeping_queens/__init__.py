"""Sleeping Queens: rules, notation, camera view, hints and words."""
