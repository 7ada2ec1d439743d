"""The mat and the camera's lens, which lead from pixels to millimetres."""
