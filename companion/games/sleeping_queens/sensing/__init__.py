"""How Sleeping Queens looks to a camera, and what may explain what it sees."""
