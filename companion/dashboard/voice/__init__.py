"""What the screen sounds like: spoken sentences and chimes."""
