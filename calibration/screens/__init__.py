"""The setup wizard on the terminal: steps, requests, and what camera and board see now."""
