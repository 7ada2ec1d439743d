"""What `companion host` does where there is no shell: a page begins games, sets parts up, finds the network."""
