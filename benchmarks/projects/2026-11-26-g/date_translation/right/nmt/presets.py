from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    seed: int = 6
    hidden: int = 32
    batches: int = 11
    epochs: int = 3
    accum: int = 4
    rate: float = 5e-3
    optimizer: str = "adamw"
    schedule: str = "inverse_sqrt"
    warmup: int = 3


PRESETS = {"tiny": Preset(), "wide": Preset(hidden=128, optimizer="sgd", schedule="flat")}
