"""Claims from the press to the verdict, and the end of a game."""
