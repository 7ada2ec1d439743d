"""Simulated players of Sleepless Princess."""
