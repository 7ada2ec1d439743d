"""States and actions as text, and back."""
