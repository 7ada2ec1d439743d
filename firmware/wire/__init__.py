"""The wire between board and host: frames, acknowledged streams, payloads."""
