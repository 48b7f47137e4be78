"""Entry point of `python -m python_loaders`."""

import sys

from python_loaders.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
