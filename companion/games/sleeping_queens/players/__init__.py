"""Simulated players of Sleeping Queens."""
