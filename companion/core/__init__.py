"""Foundation of all packages: errors, clock, geometry, settings, files, processes."""
