from .clipping import CLIPPERS
from .data import view_loader
from .encoder import Encoder
from .hooks import HOOKS
from .losses import nt_xent

__all__ = ["CLIPPERS", "HOOKS", "Encoder", "nt_xent", "view_loader"]
