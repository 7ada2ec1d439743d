"""Evenings: what was played, from the journals; the journals stay the truth."""
