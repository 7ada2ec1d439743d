"""The stream between an engine and its screens."""
