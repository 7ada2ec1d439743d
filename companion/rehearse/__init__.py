"""Rehearsals: whole games on the virtual table, without a screen, checked against the truth."""
