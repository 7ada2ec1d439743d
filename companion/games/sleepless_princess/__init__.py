"""Sleepless Princess, basic and 5+: rules, notation, sensor view, hints and words."""
