"""The board's program onto a board."""
