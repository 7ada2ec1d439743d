"""Printed sheets: stickers, markers and mat, in mm, as PDF."""
