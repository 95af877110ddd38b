"""A small Trainer in the manner of the big one."""
from __future__ import annotations

from typing import Any, Callable, Optional

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from evaluation import evaluation_loop
from training_args import TrainingArguments


class Trainer:
    def __init__(
        self,
        model: nn.Module,
        args: TrainingArguments,
        train_dataset: Dataset,
        eval_dataset: Optional[Dataset] = None,
        compute_metrics: Optional[Callable[[torch.Tensor, torch.Tensor], dict]] = None,
    ):
        self.model = model.to(args.device)
        self.args = args
        self.train_dataset = train_dataset
        self.eval_dataset = eval_dataset
        self.compute_metrics = compute_metrics
        self.global_step = 0
        self.log_history: list[dict[str, Any]] = []

    def get_train_dataloader(self) -> DataLoader:
        return DataLoader(self.train_dataset, batch_size=self.args.per_device_batch_size, shuffle=True)

    def create_optimizer_and_scheduler(self, num_training_steps: int) -> None:
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=self.args.learning_rate)
        self.lr_scheduler = torch.optim.lr_scheduler.LinearLR(
            self.optimizer, start_factor=1.0, end_factor=0.05, total_iters=num_training_steps)

    def compute_loss(self, model: nn.Module, batch) -> torch.Tensor:
        inputs, labels = (t.to(self.args.device) for t in batch)
        return nn.functional.cross_entropy(model(inputs), labels)

    def training_step(self, model: nn.Module, batch) -> torch.Tensor:
        model.train()
        loss = self.compute_loss(model, batch) / self.args.gradient_accumulation_steps
        loss.backward()
        return loss.detach()

    def train(self) -> float:
        args = self.args
        loader = self.get_train_dataloader()
        updates = -(-len(loader) // args.gradient_accumulation_steps) * args.max_epochs
        self.create_optimizer_and_scheduler(updates)

        self.model.train()
        self.model.zero_grad()
        tr_loss = torch.tensor(0.0, device=args.device)
        for epoch in range(args.max_epochs):
            for step, batch in enumerate(loader):
                tr_loss += self.training_step(self.model, batch)
                last = step + 1 == len(loader)
                if (step + 1) % args.gradient_accumulation_steps == 0 or last:
                    nn.utils.clip_grad_norm_(self.model.parameters(), args.max_grad_norm)
                    self.optimizer.step()
                    self.lr_scheduler.step()
                    self.model.zero_grad()
                    self.global_step += 1
                    self._maybe_evaluate(epoch)
        mean = tr_loss.item() / max(self.global_step, 1)
        print(f"train_loss {mean:.4f} after {self.global_step} steps")
        return mean

    def _maybe_evaluate(self, epoch: int) -> None:
        if self.eval_dataset is None or self.global_step % self.args.eval_steps:
            return
        metrics = self.evaluate()
        metrics["epoch"] = epoch
        metrics["lr"] = self.lr_scheduler.get_last_lr()[0]
        self.log_history.append(metrics)
        print(metrics)

    def evaluate(self) -> dict[str, Any]:
        loader = DataLoader(self.eval_dataset, batch_size=self.args.per_device_batch_size)
        logits, labels = evaluation_loop(self.model, loader, self.args.device)
        metrics = {"eval_loss": round(nn.functional.cross_entropy(logits, labels).item(), 4)}
        if self.compute_metrics is not None:
            metrics.update(self.compute_metrics(logits, labels))
        return metrics
