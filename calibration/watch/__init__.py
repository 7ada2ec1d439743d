"""Live sensor values of a rig, bench tests of its parts."""
