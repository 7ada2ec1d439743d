"""Entries of people in a running game: commands, statements, questions for hints, gestures."""
