"""What each game gives the virtual table: its players, their movements, its printed cards."""
