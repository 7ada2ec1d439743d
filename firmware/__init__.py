"""The board's program, the wire protocol, the host's link, flashing, and virtual boards."""
