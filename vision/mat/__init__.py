"""The mat and the camera's lens: from pixels to millimetres."""
