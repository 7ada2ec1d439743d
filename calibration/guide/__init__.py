"""Build guide: steps with their parts, from which pages and parts lists are written."""
