"""The running game: engine, journal, event stream, and its sentences."""
