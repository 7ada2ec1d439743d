"""Sleeping Queens 2, The Rescue: rules, notation, camera view, hints and words."""
