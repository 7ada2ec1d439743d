"""Measures camera and sensors, and prints their paper."""
