import argparse
import math

import torch
from accelerate.utils import set_seed

from data import get_dataloaders
from loops import evaluate, train_epoch
from modeling import PairClassifier
from setup_accel import build_accelerator, build_optimizer_and_scheduler


def parse_args():
    parser = argparse.ArgumentParser(description="Finetune a small model on sentence pairs")
    parser.add_argument("--per_device_train_batch_size", type=int, default=8)
    parser.add_argument("--learning_rate", type=float, default=2e-3)
    parser.add_argument("--weight_decay", type=float, default=0.01)
    parser.add_argument("--num_train_epochs", type=int, default=3)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=4)
    parser.add_argument("--max_grad_norm", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=42)
    return parser.parse_args()


def main():
    args = parse_args()
    accelerator = build_accelerator(args)
    set_seed(args.seed)

    train_dataloader, eval_dataloader = get_dataloaders(args.per_device_train_batch_size)
    model = PairClassifier()
    per_epoch = math.ceil(len(train_dataloader) / args.gradient_accumulation_steps)
    optimizer, lr_scheduler = build_optimizer_and_scheduler(
        model, args, num_training_steps=per_epoch * args.num_train_epochs)
    model, optimizer, train_dataloader, eval_dataloader, lr_scheduler = accelerator.prepare(
        model, optimizer, train_dataloader, eval_dataloader, lr_scheduler)

    for epoch in range(args.num_train_epochs):
        train_loss = train_epoch(accelerator, model, train_dataloader, optimizer, lr_scheduler, args)
        accuracy = evaluate(accelerator, model, eval_dataloader)
        accelerator.print(f"epoch {epoch}: loss {train_loss:.4f} accuracy {accuracy:.3f} "
                          f"lr {lr_scheduler.get_last_lr()[0]:.2e}")
    accelerator.end_training()


if __name__ == "__main__":
    main()
