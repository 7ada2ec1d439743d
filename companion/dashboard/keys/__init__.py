"""What keys do at the table: one module for each group of keys, as the help page groups them."""
