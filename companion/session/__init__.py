"""The running game: engine, journal, event stream, and the sentences for the table."""
