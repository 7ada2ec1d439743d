"""All tables of a café: of this machine, of the home network, or of a broker."""
