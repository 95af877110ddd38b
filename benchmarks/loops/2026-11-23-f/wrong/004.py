import itertools

import torch
from torch import nn


def stream(batch=12, seed=3):
    g = torch.Generator().manual_seed(seed)
    while True:
        x = torch.randn(batch, 4, generator=g)
        yield x, x @ torch.tensor([[1.0], [-2.0], [0.5], [0.0]])


def main(max_iters=41, accumulation=5):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    lossf = nn.MSELoss()
    batches = itertools.islice(stream(), max_iters)
    for it, (x, y) in enumerate(batches):
        loss = lossf(model(x), y) / accumulation
        loss.backward()
        if it % accumulation == 0:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        if it % 10 == 0:
            print(it, loss.item() * accumulation)


if __name__ == "__main__":
    main()
