"""The table in browsers on the home network: one page, drawn from the same model as the terminal's screens."""
