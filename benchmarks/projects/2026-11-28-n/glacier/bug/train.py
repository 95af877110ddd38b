import json
from pathlib import Path

import torch

from data.fields import fields
from tasks.velocity import VelocityTrainer


def main():
    options = json.loads(Path(__file__).with_name("options.json").read_text())
    torch.manual_seed(options["seed"])
    trainer = VelocityTrainer(fields(9, 1), fields(3, 2), options)
    trainer.fit(options["epochs"])


if __name__ == "__main__":
    main()
