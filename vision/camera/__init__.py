"""Cameras and recordings, which give frames: pictures with a time."""
