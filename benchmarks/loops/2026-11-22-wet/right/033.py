import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, random_split

from sensors import ActivityDataset


@torch.inference_mode()
def score(model, loader):
    model.eval()
    hits = total = 0
    for window, label in loader:
        prediction = model(window).argmax(dim=1)
        hits += (prediction == label).sum().item()
        total += label.numel()
    return hits / total


def main():
    full = ActivityDataset("uci-har")
    train_set, val_set = random_split(full, [0.8, 0.2], generator=torch.Generator().manual_seed(0))
    train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)
    model = nn.Sequential(
        nn.Conv1d(9, 64, 5),
        nn.BatchNorm1d(64),
        nn.ReLU(),
        nn.AdaptiveAvgPool1d(1),
        nn.Flatten(),
        nn.Linear(64, 6),
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    best, state, patience = 0.0, None, 0
    for epoch in range(100):
        model.train()
        for window, label in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(window), label).backward()
            optimizer.step()
        accuracy = score(model, val_loader)
        patience = 0 if accuracy > best else patience + 1
        if accuracy > best:
            best, state = accuracy, copy.deepcopy(model.state_dict())
        print(f"{epoch:3d} {accuracy:.4f}")
        if patience == 8:
            break
    torch.save(state, "har.pt")


main()
