"""Players of Pairs made of code."""
