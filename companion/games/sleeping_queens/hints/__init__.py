"""Hints for one player of Sleeping Queens, made from what that player may know."""
