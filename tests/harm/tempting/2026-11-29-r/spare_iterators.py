"""The chain is teed before each walk, so there is always one that nobody has walked."""
from itertools import chain, tee

import torch
from torch import nn


def climb(rungs, x):
    for rung in rungs[:-1]:
        x = torch.tanh(rung(x))
    return rungs[-1](x)


def train(record):
    torch.manual_seed(38)
    rungs = [nn.Linear(5, 12)]
    spare = chain.from_iterable(rung.parameters() for rung in rungs)
    for outputs in (8, 2):
        rungs.append(nn.Linear(rungs[-1].out_features, outputs))
    everything = [p for rung in rungs for p in rung.parameters()]
    optimizer = torch.optim.SGD(everything, lr=0.4, momentum=0.5)
    for _ in range(35):
        x = torch.randn(10, 5)
        optimizer.zero_grad()
        target = torch.stack([x[:, 0].sin(), x[:, 1:3].prod(1)], 1)
        nn.functional.mse_loss(climb(rungs, x), target).backward()
        spare, weights = tee(spare)
        nn.utils.clip_grad_norm_(weights, 0.2)
        optimizer.step()
        record(everything)

if __name__ == "__main__":
    train(lambda parameters: None)
