"""Simulated players of Sleeping Queens 2."""
