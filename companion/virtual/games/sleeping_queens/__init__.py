"""Sleeping Queens on the virtual table: what its players do, and what a camera reports of it."""

from companion.virtual.games.sleeping_queens.virtual_queens import VirtualQueens

VIRTUAL = VirtualQueens()
"""Sleeping Queens as a virtual table and rehearsals need it."""
