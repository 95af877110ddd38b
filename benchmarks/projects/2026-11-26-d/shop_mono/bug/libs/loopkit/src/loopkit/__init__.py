from loopkit.limits import Limiter
from loopkit.windows import Window

__all__ = ["Limiter", "Window"]
