import torch
import torch.nn as nn
import torch.nn.functional as F


class TwoTower(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.query = nn.Linear(20, dim)
        self.item = nn.Linear(30, dim)
        self.temp = nn.Parameter(torch.tensor(0.07).log())

    def forward(self, q, v):
        q = F.normalize(self.query(q), dim=-1)
        v = F.normalize(self.item(v), dim=-1)
        return q @ v.t() / self.temp.exp()


def pairs(batch=12):
    while True:
        z = torch.randn(batch, 10)
        yield z.repeat(1, 2), z.repeat(1, 3)


accumulation_steps = 8  # emulate a bigger batch on the small card
model = TwoTower()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
stream = pairs()
for update in range(10):
    optimizer.zero_grad()
    for _ in range(accumulation_steps):
        q, v = next(stream)
        scores = model(q, v)
        labels = torch.arange(len(q))
        loss = 0.5 * (F.cross_entropy(scores, labels) + F.cross_entropy(scores.t(), labels))
        loss.backward()
    optimizer.step()
    if update % 5 == 0:
        print(update, loss.item())
