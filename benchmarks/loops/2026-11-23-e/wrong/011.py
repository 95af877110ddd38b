import random

import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader


class CFG:
    seed = 42
    n_fold = 2
    epochs = 2
    bs = 16
    lr = 1e-3


class TabularDataset(Dataset):
    def __init__(self, feats, target):
        self.feats, self.target = feats, target

    def __len__(self):
        return len(self.feats)

    def __getitem__(self, i):
        return {"x": self.feats[i], "y": self.target[i]}


class TabularModel(nn.Module):
    def __init__(self, n_in, n_out=1):
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm1d(n_in), nn.Linear(n_in, 32), nn.PReLU(), nn.Dropout(0.1), nn.Linear(32, n_out)
        )

    def forward(self, x):
        return self.body(x).squeeze(-1)


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)


def train_fn(model, loader, optimizer, criterion):
    model.train()
    losses = []
    for batch in loader:
        pred = model(batch["x"])
        loss = criterion(pred, batch["y"])
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def valid_fn(model, loader, criterion):
    model.eval()
    with torch.no_grad():
        losses = [criterion(model(b["x"]), b["y"]).item() for b in loader]
    return sum(losses) / len(losses)


seed_everything(CFG.seed)
X = torch.randn(240, 9)
Y = X[:, 0] - 2 * X[:, 1]
fold = torch.arange(240) % CFG.n_fold
for f in range(CFG.n_fold):
    tr = DataLoader(TabularDataset(X[fold != f], Y[fold != f]), batch_size=CFG.bs, shuffle=True)
    va = DataLoader(TabularDataset(X[fold == f], Y[fold == f]), batch_size=CFG.bs)
    model = TabularModel(9)
    optimizer = torch.optim.Adam(model.parameters(), lr=CFG.lr)
    for ep in range(CFG.epochs):
        a = train_fn(model, tr, optimizer, nn.MSELoss())
        b = valid_fn(model, va, nn.MSELoss())
        print(f"fold {f} ep {ep} train {a:.4f} valid {b:.4f}")
