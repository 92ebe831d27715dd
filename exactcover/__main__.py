"""`python -m exactcover`: the command line, for where no script is on the path."""

from __future__ import annotations

from exactcover.cli import main

if __name__ == "__main__":
    main()
