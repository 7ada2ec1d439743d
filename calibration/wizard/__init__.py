"""The set-up wizard: its steps, what they ask of people, and its screens."""
