"""Sleeping Queens on the virtual table: its players' movements, and what a camera reports."""

from companion.virtual.games.sleeping_queens.virtual_queens import VirtualQueens

VIRTUAL = VirtualQueens()
"""Sleeping Queens as the virtual table and rehearsals load it."""
