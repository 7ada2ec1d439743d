"""Pairs: a tiny game that companion does not know. This folder is all there is of it."""
