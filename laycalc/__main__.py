"""``python -m laycalc``."""

from laycalc.cli.main import main

if __name__ == "__main__":
    main()
