import argparse

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from census.data import Adult


def privatise(model, batch, criterion, optimizer, max_norm, sigma):
    params = [p for p in model.parameters() if p.requires_grad]
    summed = [torch.zeros_like(p) for p in params]
    features, labels = batch
    value = 0.0
    for x, y in zip(features, labels):
        optimizer.zero_grad()
        loss = criterion(model(x[None]).squeeze(1), y[None])
        loss.backward()
        nn.utils.clip_grad_norm_(params, max_norm)
        for total, p in zip(summed, params):
            total += p.grad
        value += loss.item()
    n = len(labels)
    for total, p in zip(summed, params):
        p.grad = (total + sigma * max_norm * torch.randn_like(total)) / n
    optimizer.step()
    return value / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--clip", type=float, default=1.0)
    ap.add_argument("--sigma", type=float, default=1.1)
    ap.add_argument("--epochs", type=int, default=20)
    args = ap.parse_args()
    data = Adult("train")
    loader = DataLoader(data, batch_size=args.batch, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(data.width, 64), nn.Tanh(), nn.Linear(64, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(args.epochs):
        losses = [privatise(model, b, criterion, optimizer, args.clip, args.sigma) for b in loader]
        print(epoch, sum(losses) / len(losses))


if __name__ == "__main__":
    main()
