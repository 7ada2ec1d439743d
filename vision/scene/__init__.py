"""What lies where on the table, followed from frame to frame."""
