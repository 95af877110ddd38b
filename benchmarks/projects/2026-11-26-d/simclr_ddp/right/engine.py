import torch

from comm import exchange
from encoder import nt_xent


def train_epoch(model, data, optimizer, accum):
    model.train()
    optimizer.zero_grad()
    seen = 0.0
    for i, (a, b) in enumerate(data):
        boundary = (i + 1) % accum == 0 or i + 1 == len(data)
        with exchange(model, boundary):
            loss = nt_xent(model(torch.cat([a, b])))
            (loss / accum).backward()
        seen += loss.item()
        if boundary:
            optimizer.step()
            optimizer.zero_grad()
    return seen / len(data)
