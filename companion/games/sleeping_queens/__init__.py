"""Sleeping Queens: rules, notation, how it looks to a camera, in words."""
