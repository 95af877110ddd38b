from .base import BaseRunner
from .guarded import GuardedRunner

__all__ = ["BaseRunner", "GuardedRunner"]
