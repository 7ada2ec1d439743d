"""The virtual table: a world with players, camera and board."""
