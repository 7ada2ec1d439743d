"""The game as sensors see it: expected views and signs, and actions that explain them."""
