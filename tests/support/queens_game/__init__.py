"""Three queens that sleep: a tiny game, with its virtual players."""
