"""Speed of the rules and of the hints, beside something comparable."""
