"""How companion comes onto a machine: `make install`, `make deb`, and both tried in a clean system."""
