"""Shared trunk, two tasks. Their losses are summed; each has its own backward so that
only one task's graph is in memory at a time."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Shared(nn.Module):
    def __init__(self, d=10, h=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, h), nn.GELU())
        self.age = nn.Linear(h, 1)
        self.kind = nn.Linear(h, 4)

    def forward(self, x, task):
        h = self.trunk(x)
        return self.age(h).squeeze(-1) if task == "age" else self.kind(h)


LOSSES = {"age": nn.SmoothL1Loss(), "kind": nn.CrossEntropyLoss()}
WEIGHTS = {"age": 0.5, "kind": 1.0}


def dataset(task, n=160):
    x = torch.randn(n, 10)
    if task == "age":
        return TensorDataset(x, x[:, 0] * 2 + x[:, 1])
    return TensorDataset(x, x[:, :4].argmax(-1))


def main():
    torch.manual_seed(0)
    loaders = {t: DataLoader(dataset(t), batch_size=16, shuffle=True) for t in LOSSES}
    model = Shared()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(3):
        model.train()
        sums = dict.fromkeys(LOSSES, 0.0)
        for pair in zip(*loaders.values()):
            optimizer.zero_grad()
            for task, (x, y) in zip(loaders, pair):
                task_loss = LOSSES[task](model(x, task), y)
                (WEIGHTS[task] * task_loss).backward()
                sums[task] += task_loss.item()
            optimizer.step()
        print(epoch, {t: round(s / 10, 4) for t, s in sums.items()})


if __name__ == "__main__":
    main()
