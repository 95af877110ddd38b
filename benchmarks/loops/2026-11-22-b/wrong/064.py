import torch
from torch import nn
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer):
        self.model = model
        self.optimizer = optimizer
        self.iteration = 0

    def criterion(self, batch):
        raise NotImplementedError

    def backward(self, loss):
        loss.backward()

    def update(self):
        self.optimizer.step()

    def train_step(self, batch):
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.criterion(batch)
        self.backward(loss)
        self.iteration += 1
        self.update()
        return loss.item()

    def run(self, loader: DataLoader, max_iterations: int):
        while self.iteration < max_iterations:
            for batch in loader:
                value = self.train_step(batch)
                if self.iteration % 100 == 0:
                    print(f"{self.iteration}: {value:.4f}")
                if self.iteration >= max_iterations:
                    break


class AccumulatingTrainer(Trainer):
    def __init__(self, model, optimizer, accumulation=4, max_norm=None):
        super().__init__(model, optimizer)
        self.accumulation = accumulation
        self.max_norm = max_norm

    def backward(self, loss):
        (loss / self.accumulation).backward()

    def update(self):
        if self.iteration % self.accumulation:
            return
        if self.max_norm is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        super().update()


class MatchingTrainer(AccumulatingTrainer):
    def criterion(self, batch):
        anchor, positive = (self.model(x) for x in batch["views"])
        logits = nn.functional.normalize(anchor, dim=1) @ nn.functional.normalize(positive, dim=1).T
        target = torch.arange(logits.size(0), device=logits.device)
        return nn.functional.cross_entropy(logits / 0.07, target)


def main(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    trainer = MatchingTrainer(model, optimizer, accumulation=8, max_norm=1.0)
    trainer.run(loader, max_iterations=80_000)
