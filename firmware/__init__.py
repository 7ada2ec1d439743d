"""The board's code, the wire's codec, the host's link and a virtual board."""
