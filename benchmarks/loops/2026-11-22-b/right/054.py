import torch
import torch.nn.functional as F
from torch import nn


def pgd(model, x, y, eps=8 / 255, alpha=2 / 255, steps=10):
    delta = torch.empty_like(x).uniform_(-eps, eps)
    for _ in range(steps):
        delta.requires_grad_(True)
        loss = F.cross_entropy(model((x + delta).clamp(0, 1)), y)
        (grad,) = torch.autograd.grad(loss, delta)
        with torch.no_grad():
            delta = (delta + alpha * grad.sign()).clamp(-eps, eps)
    return (x + delta).clamp(0, 1).detach()


class RobustTrainer:
    def __init__(self, model: nn.Module, lr: float = 0.1, epochs: int = 110):
        self.model = model
        self.epochs = epochs
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=2e-4)
        self.schedule = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [100, 105])

    def attack(self, x, y, **kwargs):
        mode = self.model.training
        self.model.eval()
        adversarial = pgd(self.model, x, y, **kwargs)
        self.model.train(mode)
        return adversarial

    def train_epoch(self, loader):
        self.model.train()
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            adversarial = self.attack(x, y)
            self.optimizer.zero_grad()
            F.cross_entropy(self.model(adversarial), y).backward()
            self.optimizer.step()
        self.schedule.step()

    def robust_accuracy(self, loader):
        self.model.eval()
        hits = total = 0
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            adversarial = self.attack(x, y, steps=20)
            with torch.no_grad():
                hits += (self.model(adversarial).argmax(1) == y).sum().item()
            total += y.numel()
        return hits / total

    def fit(self, train_loader, test_loader):
        for epoch in range(self.epochs):
            self.train_epoch(train_loader)
            if epoch % 5 == 4 or epoch + 1 == self.epochs:
                print(epoch, self.robust_accuracy(test_loader))
        return self.model
