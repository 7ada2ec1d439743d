"""The mat and the lens: pixels to millimetres."""
