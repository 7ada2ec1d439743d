"""Every screen in every size, theme and language, measured: `python -m tests.screens` or `make screens`."""
