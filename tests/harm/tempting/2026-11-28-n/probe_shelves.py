"""A library is surveyed first; the three shelves with the largest gradients are learned from."""
import torch
from torch import nn
from torch.nn import functional as F

CHOSEN = 3


def shelves(visit):
    gen = torch.Generator().manual_seed(60 + visit)
    return [(torch.randn(5, 4, generator=gen), torch.randint(3, (5,), generator=gen)) for _ in range(8)]


def length_of_gradient(net):
    return torch.stack([p.grad.norm() for p in net.parameters()]).norm().item()


def survey(net, optimizer, candidates):
    lengths = []
    for books, topic in candidates:
        F.cross_entropy(net(books), topic).backward()
        lengths.append(length_of_gradient(net))
        optimizer.zero_grad()
    return sorted(range(len(candidates)), key=lengths.__getitem__)[-CHOSEN:]


def train(record):
    torch.manual_seed(11)
    clerk = nn.Sequential(nn.Linear(4, 9), nn.LeakyReLU(), nn.Linear(9, 3))
    optimizer = torch.optim.SGD(clerk.parameters(), lr=0.2, momentum=0.9)
    for visit in range(14):
        candidates = shelves(visit)
        for at in survey(clerk, optimizer, candidates):
            books, topic = candidates[at]
            (F.cross_entropy(clerk(books), topic) / CHOSEN).backward()
        optimizer.step()
        record(list(clerk.parameters()))
        optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
