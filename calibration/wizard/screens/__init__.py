"""Setup wizard on the terminal."""
