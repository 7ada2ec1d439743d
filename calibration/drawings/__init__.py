"""Wooden and printed rig parts: sizes, drawings, files to print."""
