"""How the game looks to sensors, and what sensors suggest."""
