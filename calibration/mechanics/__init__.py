"""The wooden and printed parts of a rig: their sizes, drawings to scale, and files to print."""
