from .network import build_network
from .optimizer import build_optimizer
from .precision import build_precision

__all__ = ["build_network", "build_optimizer", "build_precision"]
