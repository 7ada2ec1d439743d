"""The commands of `companion`, one file each; nobody imports them."""
