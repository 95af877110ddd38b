from dataclasses import dataclass, fields
import argparse


@dataclass
class TrainingArguments:
    num_train_epochs: int = 2
    per_device_train_batch_size: int = 8
    gradient_accumulation_steps: int = 4
    learning_rate: float = 5e-3
    max_grad_norm: float = 0.1
    seed: int = 42

    @classmethod
    def parse(cls, argv=None):
        parser = argparse.ArgumentParser()
        for f in fields(cls):
            parser.add_argument("--" + f.name, type=type(f.default), default=f.default)
        return cls(**vars(parser.parse_args(argv)))
