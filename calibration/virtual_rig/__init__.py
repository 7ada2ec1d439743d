"""Virtual rig for setup: pixels, bytes, an obedient person, defects."""
