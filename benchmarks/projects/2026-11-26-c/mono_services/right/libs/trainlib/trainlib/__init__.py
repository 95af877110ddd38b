from .loop import evaluate, flush, run_epoch
from .meters import Mean

__all__ = ["Mean", "evaluate", "flush", "run_epoch"]
