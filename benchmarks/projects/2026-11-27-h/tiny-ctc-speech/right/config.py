from dataclasses import dataclass


@dataclass(frozen=True)
class SpeechConfig:
    mels: int = 12
    hidden: int = 24
    tokens: int = 6
    batch: int = 8
    accumulate: int = 3
    epochs: int = 3
    lr: float = 0.02
    grad_clip: float = 0.5
