"""`python -m companion` is the command `companion`."""

import sys

if not sys.flags.safe_path:
    # Python looks into the current folder first: a json.py that lies there would run in place of its own. Last,
    # a checkout is still found there.
    sys.path.append(sys.path.pop(0))

from companion.cli import main

main()
