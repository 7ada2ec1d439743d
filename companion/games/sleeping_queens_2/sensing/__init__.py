"""The game as the camera sees it: expected views and signs, and actions that explain them."""
