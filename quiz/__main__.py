"""Start the command line: ``quiz`` or ``python -m quiz``."""

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from quiz.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
