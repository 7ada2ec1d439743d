"""What people enter: commands, statements, settings of a game that is on."""
