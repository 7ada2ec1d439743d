"""Photographs and picture files: loading them, and reading what they show."""
