"""Virtual rig for setup: pixels, bytes, a person who obeys, defects on command."""
