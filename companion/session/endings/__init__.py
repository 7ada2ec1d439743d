"""The end of a game: claims that stay open, the score, and the cards that decide it."""
