from .finish import finish_step
from .window import Window

__all__ = ["Window", "finish_step"]
