"""The table without a drawn screen: lines of text out, typed words in."""
