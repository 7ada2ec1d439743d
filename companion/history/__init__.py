"""Evenings that were played, made of the journals, which stay the truth."""
