"""Virtual boards: the board's own program on models of its chips."""
