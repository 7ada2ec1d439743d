"""The wire protocol, run on both ends."""
