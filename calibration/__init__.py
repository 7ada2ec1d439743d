"""Prints what camera and sensors need on paper."""
