"""Sets up a rig: sheets, drawings, build guide, setup steps, doctor."""
