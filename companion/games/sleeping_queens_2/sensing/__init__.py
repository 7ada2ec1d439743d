"""How Sleeping Queens 2 looks to a camera, and what may explain what it sees."""
