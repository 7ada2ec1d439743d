"""The rules of Sleeping Queens: the standard library and the kernel, nothing else."""
