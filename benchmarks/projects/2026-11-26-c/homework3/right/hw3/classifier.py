import torch

from .training import BatchResult, Trainer


class ClassifierTrainer(Trainer):
    def __init__(self, model, loss_fn, optimizer, device="cpu", noise=0.0):
        super().__init__(model, loss_fn, optimizer, device)
        self.noise = noise

    def train_batch(self, batch) -> BatchResult:
        X, y = batch
        X, y = X.to(self.device), y.to(self.device)
        if self.noise > 0:
            X = X + self.noise * torch.randn_like(X)
        self.optimizer.zero_grad()
        scores = self.model(X)
        loss = self.loss_fn(scores, y)
        loss.backward()
        self.optimizer.step()
        return BatchResult(loss.item(), (scores.argmax(1) == y).sum().item())

    def test_batch(self, batch) -> BatchResult:
        X, y = batch
        X, y = X.to(self.device), y.to(self.device)
        scores = self.model(X)
        loss = self.loss_fn(scores, y)
        return BatchResult(loss.item(), (scores.argmax(1) == y).sum().item())
