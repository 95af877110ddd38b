from aerokit.amp import Amp
from aerokit.windows import windows

__all__ = ["Amp", "windows"]
