"""Steps of the setup wizard, one file each."""
