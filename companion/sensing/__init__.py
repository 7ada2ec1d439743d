"""Camera and board as sources of observations."""
