"""The rules of Sleeping Queens.

They import only the standard library and the core of games.
"""
