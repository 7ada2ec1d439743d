"""The foundation of all packages: errors, clock, geometry, settings, files, processes."""
