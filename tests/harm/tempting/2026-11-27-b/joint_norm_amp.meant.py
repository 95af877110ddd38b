import itertools

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words=30, tags=5):
        super().__init__()
        self.body = nn.Sequential(nn.Embedding(words, 10), nn.Linear(10, 14), nn.ReLU())
        self.head = nn.Linear(14, tags)

    def forward(self, ids):
        return self.head(self.body(ids))


def finish(scaler, opts, weights, limit, record):
    for o in opts:
        scaler.unscale_(o)
    # one norm for the whole network
    norm = nn.utils.clip_grad_norm_(weights, limit)
    for o in opts:
        scaler.step(o)
        record(weights)
    scaler.update()
    return norm


def train(record):
    torch.manual_seed(22)
    net = Tagger()
    slow = torch.optim.SGD(net.body.parameters(), lr=0.1)
    fast = torch.optim.SGD(net.head.parameters(), lr=0.5, momentum=0.5)
    weights = list(itertools.chain(net.body.parameters(), net.head.parameters()))
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    ids = torch.randint(0, 30, (40, 6))
    tags = (ids * 7 + 3) % 5
    for epoch in range(2):
        norms = []
        for a, b in zip(ids.split(8), tags.split(8)):
            for o in (slow, fast):
                o.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(net(a).flatten(0, 1), b.flatten())
            scaler.scale(loss).backward()
            norms.append(finish(scaler, (slow, fast), weights, 0.25, record).item())
        print(epoch, loss.item(), max(norms))


if __name__ == "__main__":
    train(lambda parameters: None)
