import abc

import torch
from torch import nn


class BaseTrainer(abc.ABC):
    def __init__(self, model, optimizer, device):
        self.model = model.to(device)
        self.optimizer = optimizer
        self.device = device
        self.global_step = 0
        self.stats = {}

    @abc.abstractmethod
    def compute_loss(self, batch):
        ...

    def prepare(self, batch):
        return {k: v.to(self.device, non_blocking=True) for k, v in batch.items()}

    def optimizer_step(self):
        self.optimizer.step()
        self.global_step += 1

    def train_one(self, batch):
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.compute_loss(self.prepare(batch))
        loss.backward()
        self.optimizer_step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            losses = [self.train_one(batch) for batch in loader]
            print(epoch, sum(losses) / max(len(losses), 1), self.stats)


class Seq2SeqTrainer(BaseTrainer):
    def __init__(self, model, optimizer, device, pad_id=0, grad_clip=5.0):
        super().__init__(model, optimizer, device)
        self.criterion = nn.CrossEntropyLoss(ignore_index=pad_id, label_smoothing=0.1)
        self.grad_clip = grad_clip

    def compute_loss(self, batch):
        logits = self.model(batch["src"], batch["tgt"][:, :-1])
        return self.criterion(logits.transpose(1, 2), batch["tgt"][:, 1:])

    def optimizer_step(self):
        super().optimizer_step()
        if self.grad_clip > 0:
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.grad_clip)
            self.stats["grad_norm"] = norm.item()


def make_trainer(model, cfg):
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"], betas=(0.9, 0.98), eps=1e-9)
    return Seq2SeqTrainer(model, optimizer, cfg["device"], pad_id=cfg["pad_id"], grad_clip=cfg["clip"])
