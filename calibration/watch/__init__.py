"""Live values of a rig's sensors, bench tests of its parts."""
