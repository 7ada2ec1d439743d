"""Rehearsals: whole virtual games, compared with what truly happened.

A virtual table plays each game, and the companion follows it without a screen.
"""
