from dataclasses import dataclass, fields


@dataclass
class TrainingArguments:
    max_epochs: int = 2
    per_device_batch_size: int = 8
    gradient_accumulation_steps: int = 2
    learning_rate: float = 3e-3
    max_grad_norm: float = 1.0
    eval_steps: int = 2
    seed: int = 0
    device: str = "cpu"

    @classmethod
    def from_argv(cls, argv):
        types = {f.name: type(f.default) for f in fields(cls)}
        values = {}
        for key, value in zip(argv[::2], argv[1::2]):
            name = key.lstrip("-")
            values[name] = types[name](value)
        return cls(**values)
