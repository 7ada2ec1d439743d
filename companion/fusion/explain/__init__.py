"""Why something is believed, and how well each sensor does."""
