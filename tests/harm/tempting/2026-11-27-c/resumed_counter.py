import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

GRAD_ACCUM = 4
EPOCHS = 3


def build():
    torch.manual_seed(64)
    model = nn.Sequential(nn.Linear(7, 18), nn.ReLU(), nn.Linear(18, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    x = torch.randn(90, 7)
    dataset = TensorDataset(x, (x[:, 0] * x[:, 1] > 0).long())
    return model, optimizer, DataLoader(dataset, batch_size=9, shuffle=True)


def run(model, optimizer, loader, state, stop, record):
    micro = state["micro"]
    for epoch in range(state["epoch"], stop):
        for micro, (x, y) in enumerate(loader, start=micro + 1):
            loss = nn.functional.cross_entropy(model(x), y) / GRAD_ACCUM
            loss.backward()
            if micro % GRAD_ACCUM == 0:
                optimizer.step()
                record(list(model.parameters()))
                optimizer.zero_grad()
    grads = [None if p.grad is None else p.grad.clone() for p in model.parameters()]
    return {
        "micro": micro,
        "epoch": stop,
        "grads": grads,
        "model": copy.deepcopy(model.state_dict()),
        "optimizer": copy.deepcopy(optimizer.state_dict()),
    }


def train(record):
    model, optimizer, loader = build()
    state = run(model, optimizer, loader, {"micro": 0, "epoch": 0}, 1, record)
    model, optimizer, loader = build()
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for p, g in zip(model.parameters(), state["grads"]):
        p.grad = g
    state = run(model, optimizer, loader, state, EPOCHS, record)
    if state["micro"] % GRAD_ACCUM:
        optimizer.step()
        record(list(model.parameters()))
        optimizer.zero_grad()


if __name__ == "__main__":
    train(lambda parameters: None)
