"""Sets up a rig: sheets, drawings, guide, setup steps, doctor."""
