"""Evenings that were played, summed up from the journals.

The journals stay the truth.
"""
