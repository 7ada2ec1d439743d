"""Wooden and printed parts of a rig: sizes, drawings to scale, files to print."""
