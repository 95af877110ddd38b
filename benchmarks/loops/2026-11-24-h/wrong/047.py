# Store sales, 3-fold ensemble (kernel)
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(2024)
N, F = 240, 8
X = rng.normal(size=(N, F)).astype("float32")
y = (X @ rng.normal(size=F) + 0.3 * X[:, 0] * X[:, 1]).astype("float32")
folds = np.arange(N) % 3
oof = np.zeros(N, dtype="float32")


def rmse(a, b):
    return float(np.sqrt(((a - b) ** 2).mean()))


def net():
    return nn.Sequential(nn.BatchNorm1d(F), nn.Linear(F, 32), nn.SiLU(), nn.Dropout(0.1), nn.Linear(32, 1))


for fold in range(3):
    torch.manual_seed(fold)
    tr, va = folds != fold, folds == fold
    xt, yt = torch.from_numpy(X[tr]), torch.from_numpy(y[tr])
    xv = torch.from_numpy(X[va])
    model = net()
    opt = torch.optim.Adam(model.parameters(), lr=2e-2, weight_decay=1e-5)
    sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=5)
    for epoch in range(10):
        model.train()
        for idx in torch.randperm(len(xt)).split(32):
            opt.zero_grad()
            pred = model(xt[idx]).squeeze(1)
            loss = nn.functional.smooth_l1_loss(pred, yt[idx])
            loss.backward()
            opt.step()
        sched.step
        if epoch % 5 == 4:
            model.eval()
            with torch.no_grad():
                pv = model(xv).squeeze(1).numpy()
            print(f"fold {fold} epoch {epoch} rmse {rmse(pv, y[va]):.4f} lr {opt.param_groups[0]['lr']:.5f}")
    oof[va] = pv

print("oof rmse", rmse(oof, y))
