"""Sleeping Queens 2 on the virtual table: what its players do, and what a camera reports of it."""

from companion.games.sleeping_queens_2.virtual.virtual_queens_2 import VirtualQueens2

VIRTUAL = VirtualQueens2()
"""Sleeping Queens 2 as a virtual table and rehearsals need it."""
