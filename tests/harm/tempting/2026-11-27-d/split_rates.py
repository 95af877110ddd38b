import torch
import torch.nn.functional as F
from torch import nn


class Scorer(nn.Module):
    def __init__(self, items, width):
        super().__init__()
        self.items = nn.Embedding(items, width)
        self.tower = nn.Sequential(nn.Linear(2 * width, 12), nn.ReLU(), nn.Linear(12, 1))

    def forward(self, pairs):
        return self.tower(self.items(pairs).flatten(1)).squeeze(1)


def make_pairs(items, n):
    pairs = torch.randint(items, (n, 2))
    return pairs, (pairs[:, 0] % 3 == pairs[:, 1] % 3).float()


def train(record):
    torch.manual_seed(35)
    pairs, same = make_pairs(items=9, n=120)
    net = Scorer(items=9, width=6)
    table_opt = torch.optim.SGD(net.items.parameters(), lr=0.5)
    tower_opt = torch.optim.SGD(net.tower.parameters(), lr=0.1, momentum=0.8)
    scaler = torch.amp.GradScaler("cpu", init_scale=32.0, growth_interval=2)
    history = []
    for epoch in range(2):
        for p, s in zip(pairs.split(15), same.split(15)):
            table_opt.zero_grad()
            tower_opt.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                logits = net(p)
            loss = F.binary_cross_entropy_with_logits(logits.float(), s)
            scaler.scale(loss).backward()
            scaler.step(table_opt)
            record(list(net.parameters()))
            scaler.update()
            scaler.step(tower_opt)
            record(list(net.parameters()))
            history.append(loss.item())
    return history


if __name__ == "__main__":
    train(lambda parameters: None)
