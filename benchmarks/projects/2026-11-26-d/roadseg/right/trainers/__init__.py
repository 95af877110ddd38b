from .road import RoadTrainer

__all__ = ["RoadTrainer"]
