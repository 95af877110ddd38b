from dataclasses import dataclass, field


@dataclass(frozen=True)
class AudioConfig:
    n_mels: int = 20
    n_frames: int = 32
    n_keywords: int = 6


@dataclass(frozen=True)
class TrainConfig:
    epochs: int = 3
    batch_size: int = 16
    lr: float = 0.05
    momentum: float = 0.9
    max_norm: float = 1.0
    audio: AudioConfig = field(default_factory=AudioConfig)
