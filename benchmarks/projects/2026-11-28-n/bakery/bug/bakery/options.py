import argparse
from dataclasses import dataclass, fields


@dataclass
class Options:
    days: int = 3
    window: int = 3
    batches: int = 12
    seed: int = 10
    rate: float = 0.04

    @classmethod
    def parse(cls):
        parser = argparse.ArgumentParser()
        for field in fields(cls):
            parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
        return cls(**vars(parser.parse_args()))

    @property
    def updates(self):
        """How many times the weights change in the whole run."""
        return self.days * -(-self.batches // self.window)
