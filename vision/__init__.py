"""Camera frames to sightings: tags, pixels and millimetres.

No module here knows a game: cards are codes, and places are zones of a mat.
"""
