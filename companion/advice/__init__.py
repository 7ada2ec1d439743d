"""Advisers: from a journal to what its players can know, and from that to a hint. One for each game."""
