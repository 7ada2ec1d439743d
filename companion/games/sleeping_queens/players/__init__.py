"""People who play Sleeping Queens, each by what they may see."""
