"""Cards without tags, known by their printed art."""
