"""Virtual boards: the board's own code on models of its chips."""
