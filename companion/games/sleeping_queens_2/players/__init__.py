"""People who play Sleeping Queens 2, each by what they may see."""
