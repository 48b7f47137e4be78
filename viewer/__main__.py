"""`python -m viewer`: the pages, and the same queries on the terminal."""

from viewer.commands import main
from viewer.serving import end_process

if __name__ == "__main__":
    end_process(main())
