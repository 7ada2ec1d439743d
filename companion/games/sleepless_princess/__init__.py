"""Sleepless Princess: rules, notation, sensor view, hints and words.

Its variants are basic and 5+.
"""
