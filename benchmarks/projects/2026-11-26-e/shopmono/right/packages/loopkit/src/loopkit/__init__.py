from loopkit.accumulate import Accumulator
from loopkit.inspect import Inspector

__all__ = ["Accumulator", "Inspector"]
