"""Build guide: steps with parts, source of pages and lists."""
