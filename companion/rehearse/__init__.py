"""Rehearsals: whole virtual games, checked against the truth.

They need no screen.
"""
