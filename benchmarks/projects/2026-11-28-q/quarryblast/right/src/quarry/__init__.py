__all__ = ["Runner"]

from quarry.runner import Runner
