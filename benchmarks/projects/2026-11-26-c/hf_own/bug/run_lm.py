import sys

import torch

from lm_trainer import LanguageModelTrainer
from modeling import GRULanguageModel, lm_dataset
from training_args import TrainingArguments


def main() -> None:
    args = TrainingArguments.from_argv(sys.argv[1:])
    torch.manual_seed(args.seed)
    trainer = LanguageModelTrainer(
        model=GRULanguageModel(),
        args=args,
        train_dataset=lm_dataset(56, 0),
        eval_dataset=lm_dataset(16, 1),
    )
    trainer.train()


if __name__ == "__main__":
    main()
