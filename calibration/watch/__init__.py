"""Live values of a rig's sensors, and the bench test of each part alone."""
