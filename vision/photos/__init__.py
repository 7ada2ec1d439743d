"""Photographs and picture files."""
