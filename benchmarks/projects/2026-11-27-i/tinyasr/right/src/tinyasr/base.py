from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch

from .meters import RunningMean


@dataclass
class TrainConfig:
    epochs: int = 3
    lr: float = 0.05
    grad_clip: float = 1.0
    init_scale: float = 4096.0


class BaseTrainer(ABC):
    def __init__(self, model, cfg: TrainConfig):
        self.model = model
        self.cfg = cfg
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=cfg.init_scale)
        self.loss_meter = RunningMean()

    @abstractmethod
    def compute_loss(self, batch): ...

    @abstractmethod
    def evaluate(self, loader): ...

    def before_update(self):
        """Called with the gradients of the batch in place."""

    def training_step(self, batch):
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.float16):
            loss = self.compute_loss(batch)
        self.scaler.scale(loss).backward()
        self.before_update()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss

    def fit(self, train_loader, dev_loader):
        self.model.train()
        for epoch in range(self.cfg.epochs):
            self.model.train()
            self.loss_meter.reset()
            for batch in train_loader:
                loss = self.training_step(batch)
                self.loss_meter.add(loss.detach(), len(batch["feats"]))
            score = self.evaluate(dev_loader)
            print(f"[{epoch}] loss={float(self.loss_meter.value):.3f} dev={score:.3f}")
