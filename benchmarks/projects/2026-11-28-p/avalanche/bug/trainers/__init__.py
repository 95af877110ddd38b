from .risk import RiskTrainer
from .slope import SlopeTrainer

__all__ = ["RiskTrainer", "SlopeTrainer"]
