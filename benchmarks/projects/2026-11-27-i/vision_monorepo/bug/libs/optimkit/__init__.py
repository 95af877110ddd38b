from .clipping import limit_gradients
from .stepper import commit

__all__ = ["commit", "limit_gradients"]
