"""Property tests find the same examples everywhere, however slow the machine; lines break where they do for a user."""

import os

from hypothesis import settings

settings.register_profile("gradlint", deadline=None, derandomize=True)
settings.load_profile("gradlint")

os.environ.pop("COLUMNS", None)  # pytest-xdist sets it in its workers
