import torch
from torch import nn


class MF(nn.Module):
    def __init__(self, users, items, rank):
        super().__init__()
        self.u = nn.Embedding(users, rank)
        self.i = nn.Embedding(items, rank)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, user, item):
        return (self.u(user) * self.i(item)).sum(1) + self.bias


def ratings(n=400):
    g = torch.Generator().manual_seed(3)
    return (
        torch.randint(0, 50, (n,), generator=g),
        torch.randint(0, 80, (n,), generator=g),
        torch.randint(1, 6, (n,), generator=g).float(),
    )


mf = MF(50, 80, 8)
opt = torch.optim.SGD(mf.parameters(), lr=0.02)
user, item, stars = ratings()
for epoch in range(4):
    squared = 0.0
    for rows in torch.randperm(400).split(50):
        loss = nn.functional.mse_loss(mf(user[rows], item[rows]), stars[rows])
        loss.backward()
        opt.step()
        squared += loss.item() * len(rows)
    print("epoch", epoch, "rmse", (squared / 400) ** 0.5)
