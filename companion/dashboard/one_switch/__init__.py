"""A whole game with one switch: choices light up one after another, and a press takes the lit one."""
