from collections import deque

import torch
from torch import nn


class LossMeter:
    def __init__(self, device, horizon=50):
        self.mean = torch.zeros((), device=device)
        self.count = 0
        self.recent = deque(maxlen=horizon)

    def add(self, loss):
        value = loss.detach()
        self.count += 1
        self.mean = self.mean + (value - self.mean) / self.count
        self.recent.append(value)

    def __str__(self):
        recent = torch.stack(tuple(self.recent)).mean().item()
        return f"mean {self.mean.item():.4f} recent {recent:.4f}"


def train(model, loader, device="cuda", epochs=10, lr=1e-3):
    model = model.to(device)
    optimizer = torch.optim.NAdam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        meter = LossMeter(device)
        for x, y in loader:
            loss = criterion(model(x.to(device)), y.to(device))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            meter.add(loss)
        print(f"epoch {epoch}: {meter}")
    return model
