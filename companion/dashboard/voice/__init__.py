"""What the table hears from the screen: sentences spoken aloud, and chimes."""
