"""Start the command line: ``quiz`` or ``python -m quiz``."""

import gc
import os
import sys

# A start makes some 75,000 objects, nearly all of which stay: looking through them costs a twentieth of it or more.
_OBJECTS_BEFORE_COLLECTING = 100_000


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTING)
    # NumPy starts a thread for each core; our arrays are too small for one to help.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from quiz.cli.main import run

    code = run(sys.argv[1:])
    gc.freeze()  # nothing is worth collecting on the way out
    sys.exit(code)


if __name__ == "__main__":
    main()
