"""Advisers, one for each game: a journal becomes its players' knowledge, which becomes a hint."""
