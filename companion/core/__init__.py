"""What everything else stands on: errors, clock, units, settings, files, processes."""
