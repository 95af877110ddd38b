"""Differentially private SGD, one example at a time."""
import torch
from torch import nn


class PrivateSGD:
    def __init__(self, model, lr, max_norm, noise):
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.SGD(self.params, lr=lr)
        self.max_norm, self.noise = max_norm, noise
        self.sums = [torch.zeros_like(p) for p in self.params]
        self.count = 0

    def collect(self):
        """Moves the clipped gradient of one example into the buffer."""
        nn.utils.clip_grad_norm_(self.params, self.max_norm)
        for s, p in zip(self.sums, self.params):
            s.add_(p.grad)
        self.optimizer.zero_grad()
        self.count += 1

    def step(self):
        for s, p in zip(self.sums, self.params):
            noise = torch.randn_like(s) * self.noise * self.max_norm
            p.grad = (s + noise) / self.count
            s.zero_()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.count = 0


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    y = (x @ torch.tensor([1.0, -1.0, 0.5, 0.0, 0.0, 2.0]) > 0).float()
    model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1), nn.Flatten(0))
    private = PrivateSGD(model, lr=0.5, max_norm=1.0, noise=0.3)
    loss_fn = nn.BCEWithLogitsLoss()
    for epoch in range(2):
        for lot in torch.randperm(96).split(16):
            for i in lot.tolist():
                loss_fn(model(x[i:i + 1]), y[i:i + 1]).backward()
                private.collect()
            private.step()
        with torch.no_grad():
            acc = ((model(x) > 0).float() == y).float().mean().item()
        print(f"epoch {epoch} accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
