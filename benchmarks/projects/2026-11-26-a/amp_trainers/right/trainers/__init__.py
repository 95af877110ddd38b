from .amp import HalfTrainer
from .core import Trainer

__all__ = ["HalfTrainer", "Trainer"]
