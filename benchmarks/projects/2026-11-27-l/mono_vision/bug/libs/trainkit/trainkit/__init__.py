from .updater import Updater
from .window import Window

__all__ = ["Updater", "Window"]
