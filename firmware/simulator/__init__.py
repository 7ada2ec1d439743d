"""Virtual boards: the board's program on models of chips."""
