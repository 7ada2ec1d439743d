"""The rules of Sleeping Queens 2.

They import only the standard library and the core of games.
"""
