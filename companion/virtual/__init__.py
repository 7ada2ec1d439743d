"""The virtual table: a physical world, its players, its camera and its board."""
