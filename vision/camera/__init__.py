"""Cameras and recordings: frames with a time."""
