"""Claims: verdicts, the question that would settle one, and cards that contradict one."""
