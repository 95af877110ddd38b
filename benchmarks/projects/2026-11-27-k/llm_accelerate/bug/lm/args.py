from __future__ import annotations

import argparse
from dataclasses import dataclass, fields


@dataclass
class Args:
    epochs: int = 2
    accum: int = 4
    batch_size: int = 8
    lr: float = 3e-3
    max_norm: float = 1.0
    seq_len: int = 16
    vocab: int = 32

    @classmethod
    def parse(cls, argv=None) -> "Args":
        parser = argparse.ArgumentParser()
        for f in fields(cls):
            parser.add_argument("--" + f.name.replace("_", "-"), type=type(f.default), default=f.default)
        return cls(**vars(parser.parse_args(argv)))
