"""States and actions of Sleeping Queens as text: docs/notation-sleeping-queens.md."""
