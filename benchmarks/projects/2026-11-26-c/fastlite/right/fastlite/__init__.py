from .callbacks import Callback, GradientAccumulation, OneCycle, Recorder
from .data import DataLoaders
from .learner import Learner

__all__ = ["Callback", "DataLoaders", "GradientAccumulation", "Learner", "OneCycle", "Recorder"]
