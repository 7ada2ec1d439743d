"""Photographs and picture files: loading and reading them."""
