import torch
from torch import nn

ACCUM = 4


class Reader:
    def __init__(self, rows, size):
        self.rows, self.size = rows, size

    def shards(self):
        order = torch.randperm(len(self.rows))
        for piece in order.split(self.size):
            x = self.rows[piece]
            yield x, x.square().sum(1, keepdim=True).sqrt()


def run(model, optimizer, reader, record):
    criterion = nn.HuberLoss()
    seen = 0.0
    for i, (x, y) in enumerate(reader.shards()):
        loss = criterion(model(x), y)
        (loss / ACCUM).backward()
        seen += loss.item()
        if (i + 1) % ACCUM == 0:
            optimizer.step()
            record(list(model.parameters()))
            optimizer.zero_grad()
    if (i + 1) % ACCUM != 0:
        optimizer.step()
        record(list(model.parameters()))
        optimizer.zero_grad()
    return seen / (i + 1)


def train(record):
    torch.manual_seed(40)
    reader = Reader(torch.randn(80, 3), size=8)
    model = nn.Sequential(nn.Linear(3, 16), nn.SiLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2, momentum=0.5)
    return [run(model, optimizer, reader, record) for _ in range(3)]


if __name__ == "__main__":
    train(lambda parameters: None)
