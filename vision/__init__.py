"""Camera frames to sightings: tags, pixels and millimetres.

It knows no game.
"""
