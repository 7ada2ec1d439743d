"""Renders the virtual table as its camera sees it."""
