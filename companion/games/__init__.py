"""The rules of the games: pure, immutable, standard library only."""
