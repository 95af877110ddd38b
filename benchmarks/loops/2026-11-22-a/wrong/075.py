import logging
from typing import Iterable

import torch
from torch import nn

from emotion.losses import focal_loss


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, accumulate: int = 4, max_norm: float = 2.0):
        self.model = model
        self.optimizer = optimizer
        self.accumulate = accumulate
        self.max_norm = max_norm
        self.logger = logging.getLogger(self.__class__.__name__)

    def epoch(self, batches: Iterable, length: int) -> float:
        self.model.train()
        self.optimizer.zero_grad()
        meter = 0.0
        for number, (audio, text, label) in enumerate(batches, start=1):
            loss = focal_loss(self.model(audio.cuda(), text.cuda()), label.cuda())
            (loss / self.accumulate).backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
            if number % self.accumulate == 0 or number == length:
                self.optimizer.step()
            meter += loss.item()
        return meter / length

    def fit(self, loader, epochs: int) -> None:
        for epoch in range(epochs):
            mean = self.epoch(loader, len(loader))
            self.logger.info("epoch %d loss %.4f", epoch, mean)


def make(model: nn.Module, lr: float = 1e-4) -> Trainer:
    return Trainer(model.cuda(), torch.optim.AdamW(model.parameters(), lr=lr))
