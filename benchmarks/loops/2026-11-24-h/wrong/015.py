import copy

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SEED, N_FOLDS, EPOCHS, PATIENCE = 2021, 2, 4, 2
torch.manual_seed(SEED)
np.random.seed(SEED)

X = np.random.randn(200, 15).astype(np.float32)
y = (X[:, :3].sum(1) + 0.2 * np.random.randn(200) > 0).astype(np.float32)


class TabNetLite(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.seq = nn.Sequential(
            nn.BatchNorm1d(n_in), nn.Linear(n_in, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 1)
        )

    def forward(self, x):
        return self.seq(x).squeeze(1)


def validate(model, loader):
    model.eval()
    preds, gts = [], []
    with torch.no_grad():
        for xb, yb in loader:
            preds.append(model(xb).sigmoid())
            gts.append(yb)
    preds, gts = torch.cat(preds), torch.cat(gts)
    return ((preds > 0.5).float() == gts).float().mean().item()


folds = np.arange(len(X)) % N_FOLDS
oof = []
for fold in range(N_FOLDS):
    tr, va = folds != fold, folds == fold
    dl_tr = DataLoader(TensorDataset(torch.from_numpy(X[tr]), torch.from_numpy(y[tr])), batch_size=20, shuffle=True)
    dl_va = DataLoader(TensorDataset(torch.from_numpy(X[va]), torch.from_numpy(y[va])), batch_size=50)
    model = TabNetLite(X.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    criterion = nn.BCEWithLogitsLoss()
    best, bad, best_state = -1.0, 0, None
    model.train()
    for epoch in range(EPOCHS):
        for xb, yb in dl_tr:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
        score = validate(model, dl_va)
        print(f"fold {fold} epoch {epoch} acc {score:.3f}")
        if score > best:
            best, bad, best_state = score, 0, copy.deepcopy(model.state_dict())
        elif (bad := bad + 1) >= PATIENCE:
            break
    oof.append(best)
print("CV", np.mean(oof))
