"""The table without drawing: lines of text, and typed words."""
