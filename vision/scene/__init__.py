"""What lies where on the table, from frame to frame."""
