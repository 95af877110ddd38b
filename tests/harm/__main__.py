"""`python -m harm`, run from `tests/`."""

import sys

from harm.judge import main

if __name__ == "__main__":
    sys.exit(main())
