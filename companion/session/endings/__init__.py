"""The end of a game: open claims, score, deciding cards."""
