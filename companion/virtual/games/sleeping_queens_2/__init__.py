"""Sleeping Queens 2 on the virtual table: what its players do, and what a camera reports of it."""

from companion.virtual.games.sleeping_queens_2.virtual_queens_2 import VirtualQueens2

VIRTUAL = VirtualQueens2()
"""Sleeping Queens 2 as a virtual table and rehearsals need it."""
