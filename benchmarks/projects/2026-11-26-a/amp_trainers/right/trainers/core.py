from abc import ABC, abstractmethod

import torch
from torch.nn.utils import clip_grad_norm_


class Trainer(ABC):
    def __init__(self, model, lr, max_norm=None, device="cpu"):
        self.device = torch.device(device)
        self.model = model.to(self.device)
        self.max_norm = max_norm
        self.optimizer = self.build_optimizer(lr)

    def build_optimizer(self, lr):
        return torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)

    @abstractmethod
    def loss_of(self, batch):
        ...

    # hooks of the epoch
    def epoch_begins(self, epoch):
        self.model.train()
        self.optimizer.zero_grad()

    def epoch_ends(self, epoch, loss):
        print(f"[{type(self).__name__}] epoch {epoch} loss {loss:.4f} lr {self.optimizer.param_groups[0]['lr']:.4g}")

    # hooks of the update
    def before_backward(self):
        self.optimizer.zero_grad()

    def before_step(self):
        if self.max_norm is not None:
            clip_grad_norm_(self.model.parameters(), self.max_norm)

    def optimize(self, loss):
        self.before_backward()
        loss.backward()
        self.before_step()
        self.optimizer.step()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.epoch_begins(epoch)
            total = 0.0
            for batch in loader:
                loss = self.loss_of(batch)
                self.optimize(loss)
                total += loss.item()
            self.epoch_ends(epoch, total / len(loader))
