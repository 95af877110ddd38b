"""A recommender: sparse item vectors and dense layers have optimizers of their own, and share a loss scale."""
import torch
from torch import nn


class Recommender(nn.Module):
    def __init__(self, users=12, items=20, width=6):
        super().__init__()
        self.users = nn.Embedding(users, width)
        self.items = nn.Embedding(items, width, sparse=True)
        self.mix = nn.Sequential(nn.Linear(2 * width, 12), nn.ReLU(), nn.Linear(12, 1))

    def forward(self, u, i):
        return self.mix(torch.cat([self.users(u), self.items(i)], -1)).squeeze(-1)


class Updater:
    def __init__(self, net, record):
        self.net, self.record = net, record
        dense = [p for name, p in net.named_parameters() if not name.startswith("items")]
        self.optimizers = [
            torch.optim.SGD(dense, lr=0.1, momentum=0.9),
            torch.optim.SGD(net.items.parameters(), lr=0.5),
        ]
        self.scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=2)

    def __call__(self, loss):
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)
            self.record(list(self.net.parameters()))
            self.scaler.update()


def train(record):
    torch.manual_seed(110)
    net = Recommender()
    update = Updater(net, record)
    taste = torch.randn(12, 20)
    for _ in range(16):
        u, i = torch.randint(0, 12, (32,)), torch.randint(0, 20, (32,))
        with torch.autocast("cpu", dtype=torch.float16):
            out = net(u, i)
        update(nn.functional.mse_loss(out.float(), taste[u, i]))


if __name__ == "__main__":
    train(lambda parameters: None)
