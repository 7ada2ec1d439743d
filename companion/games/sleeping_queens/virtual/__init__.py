"""Sleeping Queens on the virtual table: what its players do, and what a camera reports of it."""
