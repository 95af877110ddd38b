"""Embeddings have an optimizer of their own, which moves after the dense one and less often."""
import torch
from torch import nn
from torch.nn import functional as F


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(30, 8)
        self.dense = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))

    def forward(self, ids):
        return self.dense(self.table(ids).mean(1))


def train(record):
    torch.manual_seed(110)
    net = Tagger()
    dense = torch.optim.SGD(net.dense.parameters(), lr=0.2)
    table = torch.optim.SGD(net.table.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", init_scale=64.0, growth_interval=2)
    for turn in range(20):
        ids = torch.randint(30, (16, 5))
        labels = ids.sum(1) % 4
        dense.zero_grad()
        table.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            logits = net(ids)
        loss = F.cross_entropy(logits.float(), labels)
        scaler.scale(loss).backward()
        scaler.step(dense)
        record(list(net.dense.parameters()))
        scaler.update()
        if turn % 2:
            table.step()
            record(list(net.table.parameters()))


if __name__ == "__main__":
    train(lambda parameters: None)
