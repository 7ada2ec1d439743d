"""What lies where, frame after frame."""
