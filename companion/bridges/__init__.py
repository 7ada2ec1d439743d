"""Bridges: what carries the event stream beyond this machine.

Clients of the stream alone.
"""
