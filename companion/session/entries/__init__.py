"""Entries of people: commands, statements, questions for hints, gestures."""
