"""``python -m relusym``: the command line."""

from relusym.cli import main

if __name__ == "__main__":
    main()
