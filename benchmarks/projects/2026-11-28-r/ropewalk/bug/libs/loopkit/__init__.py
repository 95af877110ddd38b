from loopkit.flush import flush
from loopkit.precision import Precision

__all__ = ["Precision", "flush"]
