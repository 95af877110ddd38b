from .base import TrainerBase
from .mixins import GradLimit, LossScaling

__all__ = ["GradLimit", "LossScaling", "TrainerBase"]
