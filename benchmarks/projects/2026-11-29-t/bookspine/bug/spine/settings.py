from dataclasses import dataclass


@dataclass
class Settings:
    letters: int = 6
    epochs: int = 3
    lr: float = 0.01
    probe_every: int = 4
    finish: str = "plain"
