"""Printed sheets: stickers, tile markers and the table mat, laid out in millimetres and written as PDF."""
