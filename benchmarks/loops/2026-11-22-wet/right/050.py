import math

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

from wikitext import batchify, corpus

BPTT = 35


def repackage(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(s) for s in state)


def evaluate(model, source, criterion):
    model.eval()
    total, state = 0.0, model.init_state(source.size(1))
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, BPTT):
            data, target = source[i : i + BPTT], source[i + 1 : i + 1 + BPTT]
            output, state = model(data[: len(target)], state)
            total += len(target) * criterion(output.flatten(0, 1), target.flatten()).item()
    return total / (len(source) - 1)


def main(model, epochs=40, lr=20.0):
    train, valid = batchify(corpus.train, 20), batchify(corpus.valid, 10)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.25, patience=0)
    for epoch in range(epochs):
        model.train()
        state = model.init_state(20)
        for i in range(0, train.size(0) - 1, BPTT):
            data, target = train[i : i + BPTT], train[i + 1 : i + 1 + BPTT]
            state = repackage(state)
            model.zero_grad()
            output, state = model(data[: len(target)], state)
            loss = criterion(output.flatten(0, 1), target.flatten())
            loss.backward()
            clip_grad_norm_(model.parameters(), 0.25)
            optimizer.step()
        value = evaluate(model, valid, criterion)
        scheduler.step(value)
        print(f"epoch {epoch} perplexity {math.exp(value):.2f}")
