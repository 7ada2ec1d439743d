"""The rules of Sleepless Princess.

They import only the standard library and the core of games.
"""
