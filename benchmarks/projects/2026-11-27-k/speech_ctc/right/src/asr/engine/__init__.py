from asr.engine.ctc import CTCEngine

__all__ = ["CTCEngine"]
