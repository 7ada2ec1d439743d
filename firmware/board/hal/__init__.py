"""Hardware layer: pins, buses, time and serial port, which differ between hosts."""
