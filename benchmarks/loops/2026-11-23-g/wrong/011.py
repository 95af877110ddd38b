# kernel: house-prices-mlp  (version 14)
import numpy as np
import torch
import torch.nn as nn

SEED = 2024
N_FOLDS = 2
CFG = dict(lr=5e-3, wd=1e-4, epochs=3, bs=32, hidden=24)

rng = np.random.default_rng(SEED)
torch.manual_seed(SEED)
train_x = rng.normal(size=(128, 9)).astype("float32")
train_y = (train_x @ rng.normal(size=9) + 0.1 * rng.normal(size=128)).astype("float32")
oof = np.zeros(len(train_x), dtype="float32")


def rmse(a, b):
    return float(np.sqrt(((a - b) ** 2).mean()))


folds = np.array_split(rng.permutation(len(train_x)), N_FOLDS)
for fold, valid_idx in enumerate(folds):
    train_idx = np.setdiff1d(np.arange(len(train_x)), valid_idx)
    xt, yt = torch.from_numpy(train_x[train_idx]), torch.from_numpy(train_y[train_idx])
    xv = torch.from_numpy(train_x[valid_idx])

    model = nn.Sequential(nn.Linear(9, CFG["hidden"]), nn.BatchNorm1d(CFG["hidden"]), nn.ReLU(), nn.Linear(CFG["hidden"], 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=CFG["lr"], weight_decay=CFG["wd"])
    loss_fn = nn.MSELoss()

    for epoch in range(CFG["epochs"]):
        model.train()
        avg_loss = 0.0
        for start in range(0, len(xt), CFG["bs"]):
            x_batch = xt[start : start + CFG["bs"]]
            y_batch = yt[start : start + CFG["bs"]]
            y_pred = model(x_batch).squeeze(1)
            loss = loss_fn(y_pred, y_batch)
            optimizer.zero_grad
            loss.backward()
            optimizer.step()
            avg_loss += loss.item() * len(x_batch) / len(xt)

        model.eval()
        with torch.no_grad():
            oof[valid_idx] = model(xv).squeeze(1).numpy()
        print(f"fold {fold} epoch {epoch + 1}/{CFG['epochs']} loss={avg_loss:.4f} val_rmse={rmse(oof[valid_idx], train_y[valid_idx]):.4f}")

print("OOF RMSE", round(rmse(oof, train_y), 4))
