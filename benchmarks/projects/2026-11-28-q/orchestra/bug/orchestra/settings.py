import argparse
from dataclasses import dataclass, fields


@dataclass
class Settings:
    concerts: int = 3
    batch: int = 8
    lr: float = 0.05
    seed: int = 4
    smoothness: float = 0.01
    loudness: float = 0.5


def from_command_line():
    parser = argparse.ArgumentParser(prog="orchestra")
    for field in fields(Settings):
        parser.add_argument(f"--{field.name}", type=field.type, default=field.default)
    return Settings(**vars(parser.parse_args()))
