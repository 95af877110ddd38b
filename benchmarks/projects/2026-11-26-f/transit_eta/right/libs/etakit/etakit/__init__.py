from .events import Events
from .loop import Loop
from .schedule import cosine

__all__ = ["Events", "Loop", "cosine"]
