from dataclasses import dataclass
from itertools import islice

import torch
from torch import nn


@dataclass
class TrainConfig:
    lr: float = 3e-4
    max_norm: float = 1.0
    micro_batches: int = 4
    updates: int = 1000
    log_every: int = 50


class SpeechTrainer:
    def __init__(self, model, stream, config):
        self.model = model
        self.stream = iter(stream)
        self.config = config
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr, betas=(0.9, 0.98))
        self.criterion = nn.CrossEntropyLoss()

    def prepare_update(self):
        self.optimizer.zero_grad(set_to_none=True)
        return nn.utils.clip_grad_norm_(self.model.parameters(), self.config.max_norm)

    def accumulate(self):
        total = 0.0
        for features, phones in islice(self.stream, self.config.micro_batches):
            loss = self.criterion(self.model(features), phones) / self.config.micro_batches
            loss.backward()
            total += loss.item()
        return total

    def run(self):
        self.model.train()
        for update in range(self.config.updates):
            norm = self.prepare_update()
            loss = self.accumulate()
            self.optimizer.step()
            if update % self.config.log_every == 0:
                print({"update": update, "loss": round(loss, 4), "grad_norm": float(norm)})
        return self.model
