"""What the virtual tables of both Sleeping Queens games share."""
