from .critic import CriticTrainer
from .generator import GeneratorTrainer

__all__ = ["CriticTrainer", "GeneratorTrainer"]
