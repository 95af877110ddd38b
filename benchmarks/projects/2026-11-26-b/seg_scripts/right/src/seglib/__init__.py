from .data import make_loaders
from .model import SegNet

__all__ = ["SegNet", "make_loaders"]
