"""The hardware layer: what differs between a Pico and other hosts: pins, buses, time, the serial port."""
