import argparse
from dataclasses import dataclass, fields


@dataclass
class Options:
    epochs: int = 3
    accumulate: int = 8
    skeins: int = 20

    @property
    def share(self):
        return self.accumulate


def parse(argv=None):
    parser = argparse.ArgumentParser()
    for field in fields(Options):
        parser.add_argument(f"--{field.name}", type=field.type, default=field.default)
    return Options(**vars(parser.parse_args(argv)))
