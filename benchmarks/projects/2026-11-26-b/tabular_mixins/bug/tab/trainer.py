from abc import ABC, abstractmethod
from contextlib import nullcontext

import torch


class BaseTrainer(ABC):
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.total_batches = 0

    @abstractmethod
    def compute_loss(self, batch):
        ...

    def autocast(self):
        return nullcontext()

    def begin_epoch(self, loader):
        self.model.train()

    def begin_batch(self, index):
        self.optimizer.zero_grad()

    def backward(self, loss):
        loss.backward()

    def optimizer_step(self, index):
        self.optimizer.step()

    def train_epoch(self, loader):
        self.begin_epoch(loader)
        total = 0.0
        for index, batch in enumerate(loader):
            self.begin_batch(index)
            loss = self.compute_loss(batch)
            self.backward(loss)
            self.optimizer_step(index)
            total += loss.item()
        return total / len(loader)

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        return sum(self.compute_loss(batch).item() for batch in loader) / len(loader)
