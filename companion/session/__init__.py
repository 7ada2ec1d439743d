"""The running game: engine, journal, event stream, and what is said."""
