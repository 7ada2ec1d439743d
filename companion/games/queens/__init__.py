"""What both Sleeping Queens games share: the table, and the program options that fit weights of hints."""
