"""The virtual table's sensors and their faults."""
