# Tabular autoencoder for anomaly scores
import torch
import torch.nn as nn
from torch.amp import GradScaler, autocast

torch.manual_seed(31)


class AE(nn.Module):
    def __init__(self, n_in=12, code=3):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n_in, 16), nn.GELU(), nn.Linear(16, code))
        self.dec = nn.Sequential(nn.Linear(code, 16), nn.GELU(), nn.Linear(16, n_in))

    def forward(self, x):
        return self.dec(self.enc(x))


class Config:
    dtype = torch.bfloat16
    device = "cpu"
    lr = 5e-3
    epochs = 5
    batch = 32
    patience = 2


def table(n):
    z = torch.randn(n, 3)
    return z @ torch.randn(3, 12) + 0.05 * torch.randn(n, 12)


def score(model, x, cfg):
    model.eval()
    with torch.no_grad(), autocast(cfg.device, dtype=cfg.dtype):
        err = (model(x).float() - x).square().mean(1)
    return err


def fit(model, x, x_val, cfg):
    opt = torch.optim.NAdam(model.parameters(), lr=cfg.lr)
    grad_scaler = GradScaler(cfg.device)
    best, bad = float("inf"), 0
    for epoch in range(cfg.epochs):
        model.train()
        for rows in x[torch.randperm(len(x))].split(cfg.batch):
            opt.zero_grad(set_to_none=True)
            with autocast(cfg.device, dtype=cfg.dtype):
                rec = model(rows)
                loss = nn.functional.mse_loss(rec.float(), rows)
            grad_scaler.scale(loss).backward()
            grad_scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            grad_scaler.step(opt)
            grad_scaler.update()
        val = score(model, x_val, cfg).mean().item()
        print(f"epoch {epoch} val {val:.4f}")
        if val < best:
            best, bad = val, 0
        elif (bad := bad + 1) > cfg.patience:
            break
    return best


if __name__ == "__main__":
    data = table(320)
    fit(AE(), data[:256], data[256:], Config)
