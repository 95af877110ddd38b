from .ctc import CTCTrainer

__all__ = ["CTCTrainer"]
