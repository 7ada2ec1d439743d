"""Sleeping Queens 2 on the virtual table: its players' movements, and what a camera reports."""

from companion.virtual.games.sleeping_queens_2.virtual_queens_2 import VirtualQueens2

VIRTUAL = VirtualQueens2()
"""Sleeping Queens 2 as the virtual table and rehearsals load it."""
