"""Cameras and recordings: each gives frames (pictures with a time)."""
