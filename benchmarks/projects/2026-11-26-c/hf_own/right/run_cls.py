import sys

import torch

from modeling import BagClassifier, cls_dataset
from trainer import Trainer
from training_args import TrainingArguments


def accuracy(logits: torch.Tensor, labels: torch.Tensor) -> dict:
    return {"acc": (logits.argmax(-1) == labels).float().mean().item()}


def main() -> None:
    args = TrainingArguments.from_argv(sys.argv[1:])
    torch.manual_seed(args.seed)
    trainer = Trainer(
        BagClassifier(),
        args,
        train_dataset=cls_dataset(72, 0),
        eval_dataset=cls_dataset(24, 1),
        compute_metrics=accuracy,
    )
    trainer.train()


if __name__ == "__main__":
    main()
