import math

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed

from arguments import TrainingArguments
from corpus import dataloaders
from gradients import decay_groups
from modeling import TinyClassifier
from training import evaluate, train_epoch


def main():
    args = TrainingArguments.parse()
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, cpu=True)
    set_seed(args.seed)

    train_loader, eval_loader = dataloaders(args.per_device_train_batch_size)
    model = TinyClassifier()
    optimizer = torch.optim.AdamW(decay_groups(model, 0.01), lr=args.learning_rate)
    updates = math.ceil(len(train_loader) / args.gradient_accumulation_steps) * args.num_train_epochs
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.05, total_iters=updates)
    model, optimizer, train_loader, eval_loader, scheduler = accelerator.prepare(
        model, optimizer, train_loader, eval_loader, scheduler
    )

    for epoch in range(args.num_train_epochs):
        loss = train_epoch(accelerator, model, train_loader, optimizer, scheduler, args)
        accuracy = evaluate(accelerator, model, eval_loader)
        accelerator.print(f"epoch {epoch}: loss {loss:.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
