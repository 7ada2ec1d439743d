"""What both Sleeping Queens games share: the table, numbers of rules, programs that fit hints."""
