from abc import ABC, abstractmethod

import torch

from nmt.precision import autocast_for, scaler_for


class BaseTrainer(ABC):
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr)
        self.scaler = scaler_for(cfg.precision)

    @abstractmethod
    def compute_loss(self, batch):
        raise NotImplementedError

    def begin_epoch(self):
        """Called before the first batch of an epoch."""

    def begin_batch(self):
        """Called before each forward."""

    def fit(self, batches):
        for epoch in range(self.cfg.epochs):
            self.begin_epoch()
            total = 0.0
            for batch in batches:
                self.begin_batch()
                with autocast_for(self.cfg.precision):
                    loss = self.compute_loss(batch)
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)
                self.scaler.update()
                total += loss.item()
            print(f"epoch {epoch}: {total / len(batches):.4f}")
