"""Full screens and panels that open over the table."""
