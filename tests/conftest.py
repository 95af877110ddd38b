"""Property tests find the same examples everywhere, however slow the machine."""

from hypothesis import settings

settings.register_profile("gradlint", deadline=None, derandomize=True)
settings.load_profile("gradlint")
