"""The rules of Sleeping Queens 2: the standard library and the kernel, nothing else."""
