from .magnitude import MagnitudeTrainer
from .phase import PhaseTrainer

__all__ = ["MagnitudeTrainer", "PhaseTrainer"]
