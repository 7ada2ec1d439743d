"""Journals of games: writing, reading and replaying them, with damaged sensors too, and packing recordings."""
