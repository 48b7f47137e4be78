"""`python -m viewer`: the pages, and the same questions on the terminal."""

import sys

from viewer.commands import main

if __name__ == "__main__":
    sys.exit(main())
