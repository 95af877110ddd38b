from .evaluation import accuracy
from .stepping import clipped_step, plain_step

__all__ = ["accuracy", "clipped_step", "plain_step"]
