import itertools

import torch
from torch import nn


def divide_gradients(parameters, n):
    for p in parameters:
        if p.grad is not None:
            p.grad.div_(n)


def train(model, loader, *, accum=6, updates=2000, lr=1e-2):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss(reduction="sum")
    parameters = list(model.parameters())
    stream = itertools.chain.from_iterable(itertools.repeat(loader))
    model.train()

    for update in range(updates):
        samples = 0
        summed = 0.0
        for _ in range(accum):
            x, y = next(stream)
            loss = criterion(model(x), y)
            loss.backward()
            samples += y.numel()
            summed += loss.item()
        divide_gradients(parameters, samples)
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if update % 20 == 0:
            print(update, summed / samples)
    return model
