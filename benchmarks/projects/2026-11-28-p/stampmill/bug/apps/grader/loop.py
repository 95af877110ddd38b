import torch
from torch.nn import functional as F

from trainkit.group import parallel
from trainkit.sync import gate


def ore(count=10):
    generator = torch.Generator().manual_seed(1)
    rock = torch.rand(count, 8, 5, generator=generator)
    return [(x, (x[:, 0] > x[:, 1]).long()) for x in rock]


def main(epochs=2, accum=4):
    torch.manual_seed(1)
    model = parallel(torch.nn.Sequential(torch.nn.Linear(5, 10), torch.nn.ReLU(), torch.nn.Linear(10, 3)))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    batches = ore()
    for _ in range(epochs):
        optimizer.zero_grad()
        for i, (rock, grade) in enumerate(batches):
            boundary = (i + 1) % accum == 0 or i + 1 == len(batches)
            logits = model(rock)
            with gate(model, boundary):
                loss = F.cross_entropy(logits, grade) / accum
                loss.backward()
            if boundary:
                optimizer.step()
                optimizer.zero_grad()
    return loss.item() * accum
