"""Pictures of the virtual table as its camera takes them."""
