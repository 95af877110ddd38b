import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

CFG = {"folds": 2, "epochs": 2, "bs": 8, "accum": 3, "lr": 1e-2}

rng = np.random.default_rng(42)
X = torch.tensor(rng.normal(size=(96, 7)), dtype=torch.float32)
Y = (X[:, :2].sum(1) > 0).float()


def train_fn(model, loader, optimizer, criterion):
    model.train()
    losses = []
    optimizer.zero_grad()
    for step, (xb, yb) in enumerate(loader):
        preds = model(xb).squeeze(1)
        loss = criterion(preds, yb)
        losses.append(loss.item())
        loss = loss / CFG["bs"]
        loss.backward()
        if (step + 1) % CFG["accum"] == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()
    return np.mean(losses)


@torch.no_grad()
def valid_fn(model, loader):
    model.eval()
    hits = 0
    for xb, yb in loader:
        hits += ((model(xb).squeeze(1) > 0).float() == yb).sum().item()
    return hits / len(loader.dataset)


for fold in range(CFG["folds"]):
    mask = np.arange(len(X)) % CFG["folds"] == fold
    trn = DataLoader(TensorDataset(X[~mask], Y[~mask]), batch_size=CFG["bs"], shuffle=True)
    val = DataLoader(TensorDataset(X[mask], Y[mask]), batch_size=CFG["bs"])
    model = nn.Sequential(nn.Linear(7, 12), nn.ReLU(), nn.Linear(12, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG["lr"])
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(CFG["epochs"]):
        tl = train_fn(model, trn, optimizer, criterion)
        print(f"fold {fold} epoch {epoch} train {tl:.4f} acc {valid_fn(model, val):.3f}")
