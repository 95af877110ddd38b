from .amp import AmpMixin
from .core import ClippingTrainer, CoreTrainer

__all__ = ["AmpMixin", "ClippingTrainer", "CoreTrainer"]
