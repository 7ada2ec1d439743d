"""What differs between a Pico and other places to run: pins, buses, time, the serial port."""
