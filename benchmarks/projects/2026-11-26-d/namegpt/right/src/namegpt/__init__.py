from .config import GPTConfig, TrainConfig
from .loop import fit

__all__ = ["GPTConfig", "TrainConfig", "fit"]
