"""Camera frames to sightings: tags, pixels and millimetres, no game."""
