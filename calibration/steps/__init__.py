"""The steps of the setup wizard: one file a step, each usable alone."""
