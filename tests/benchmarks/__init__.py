"""Measurements of speed, one module for each part of the program."""
