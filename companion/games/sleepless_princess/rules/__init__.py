"""The rules: the standard library and the kernel of games alone."""
