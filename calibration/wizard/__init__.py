"""Setup wizard: its steps, requests to people, and screens."""
