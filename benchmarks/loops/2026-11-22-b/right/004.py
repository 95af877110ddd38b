import torch
from torch import nn
from torch.utils.data import DataLoader


class PrivateSGD:
    def __init__(self, model: nn.Module, lr: float, bound: float, noise: float):
        self.model = model
        self.bound = bound
        self.noise = noise
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.summed = [torch.zeros_like(p) for p in model.parameters()]

    def _reset(self):
        for s in self.summed:
            s.zero_()

    def _add_example(self, x, y):
        self.model.zero_grad()
        loss = nn.functional.cross_entropy(self.model(x[None]), y[None])
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.bound)
        for s, p in zip(self.summed, self.model.parameters()):
            s.add_(p.grad)
        return loss.item()

    def _privatise(self, n):
        for s, p in zip(self.summed, self.model.parameters()):
            noise = torch.randn_like(s) * self.noise * self.bound
            p.grad = (s + noise) / n

    def update(self, xs, ys):
        self._reset()
        total = sum(self._add_example(x, y) for x, y in zip(xs, ys))
        self._privatise(len(xs))
        self.optimizer.step()
        self.optimizer.zero_grad()
        return total / len(xs)


def logistic(n_features: int, n_classes: int) -> nn.Module:
    return nn.Sequential(nn.Flatten(), nn.Linear(n_features, 128), nn.Tanh(), nn.Linear(128, n_classes))


def train(dataset, epochs: int = 15, batch_size: int = 250, lr: float = 0.25):
    loader = DataLoader(dataset, batch_size, shuffle=True, drop_last=True)
    private = PrivateSGD(logistic(784, 10), lr, bound=1.0, noise=1.3)
    private.model.train()
    for epoch in range(epochs):
        losses = [private.update(x, y) for x, y in loader]
        print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")
    return private.model
