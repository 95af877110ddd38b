from . import logging, optimize  # noqa: F401
