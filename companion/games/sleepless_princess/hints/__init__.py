"""Hints from the team's knowledge.

They depend on no sensor, secret or hidden card.
"""
