import torch
from torch import nn


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(6, 16)
        self.depth = nn.Linear(16, 1)
        self.label = nn.Linear(16, 3)

    def forward(self, x):
        h = torch.relu(self.base(x))
        return self.depth(h), self.label(h)


class MultiTask:
    def __init__(self, record):
        self.net = Shared()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.05)
        self.record = record
        self.norms = []

    def gradient_norm(self):
        return sum(p.grad.square().sum() for p in self.net.parameters()).sqrt().item()

    def batch(self, x, depth, label):
        a, b = self.net(x)
        nn.functional.l1_loss(a, depth).backward(retain_graph=True)
        nn.functional.cross_entropy(b, label).backward()
        self.optimizer.step()
        self.record(list(self.net.parameters()))
        self.norms.append(self.gradient_norm())
        self.optimizer.zero_grad()

    def after_epoch(self):
        mean = sum(self.norms) / len(self.norms)
        if mean > 1.0:
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.7
        self.norms.clear()
        return mean


def train(record):
    torch.manual_seed(55)
    trainer = MultiTask(record)
    for epoch in range(3):
        for _ in range(5):
            x = torch.randn(12, 6)
            trainer.batch(x, x[:, :1].abs(), x[:, 3:].argmax(1))
        print(epoch, round(trainer.after_epoch(), 4))


if __name__ == "__main__":
    train(lambda parameters: None)
