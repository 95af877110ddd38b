from . import protocols, strategies
from .registry import PROTOCOLS, STRATEGIES

__all__ = ["PROTOCOLS", "STRATEGIES", "protocols", "strategies"]
