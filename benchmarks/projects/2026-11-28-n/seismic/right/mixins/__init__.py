from .amp import AmpMixin
from .bound import BoundMixin
from .monitor import MonitorMixin
from .window import WindowMixin

__all__ = ["AmpMixin", "BoundMixin", "MonitorMixin", "WindowMixin"]
