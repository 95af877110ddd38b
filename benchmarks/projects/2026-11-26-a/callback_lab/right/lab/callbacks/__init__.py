from .evaluation import Evaluation
from .optim import GradientClip, ScheduleCallback

__all__ = ["Evaluation", "GradientClip", "ScheduleCallback"]
