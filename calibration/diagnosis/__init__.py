"""Checks a machine and its rig part by part, and packs what a helper needs to know of them."""
