"""Recognition of cards without tags, by their printed art."""
