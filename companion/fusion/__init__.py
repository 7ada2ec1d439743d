"""From things seen to actions of the game."""
