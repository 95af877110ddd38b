"""`python -m gradlint` is the `gradlint` command."""

import sys

from gradlint.cli import main

sys.exit(main())
