"""States and actions of Sleeping Queens 2 as text."""
