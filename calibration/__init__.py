"""Sets a rig up: what it prints on paper, and the steps that measure it."""
