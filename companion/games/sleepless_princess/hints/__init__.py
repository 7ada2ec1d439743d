"""Hints: from what the team knows to ranked advice. Nothing here sees a sensor, a secret or a hidden card."""
