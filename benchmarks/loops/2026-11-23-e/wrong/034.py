"""Masked-patch pretraining recipe (toy)."""
import argparse

import torch
import torch.nn as nn


class MaskedAE(nn.Module):
    def __init__(self, patches=8, dim=6, width=32):
        super().__init__()
        self.mask_token = nn.Parameter(torch.zeros(dim))
        self.net = nn.Sequential(nn.Linear(patches * dim, width), nn.GELU(), nn.Linear(width, patches * dim))

    def forward(self, x, mask):
        inp = torch.where(mask[..., None], self.mask_token, x)
        rec = self.net(inp.flatten(1)).view_as(x)
        return ((rec - x) ** 2).mean(-1)[mask].mean()


def run_recipe(cfg):
    torch.manual_seed(cfg.seed)
    model = MaskedAE()
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, betas=(0.9, 0.95))
    lr_sched = torch.optim.lr_scheduler.LinearLR(opt, start_factor=0.1, total_iters=5)
    pool = torch.randn(96, 8, 6).cumsum(1)

    updates = 0
    for epoch in range(cfg.epochs):
        idx = torch.randperm(len(pool)).view(-1, cfg.batch)
        n = len(idx)
        for k in range(n):
            x = pool[idx[k]]
            mask = torch.rand(x.shape[:2]) < 0.5
            mask[0, 0] = True
            loss = model(x, mask)
            loss.backward()
            if (k + 1) % cfg.accum == 0 or k == n - 1:
                lr_sched.step()
                opt.step()
                opt.zero_grad(set_to_none=True)
                updates += 1
        print(f"epoch {epoch}: loss {loss.item():.3f} after {updates} updates")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--accum", type=int, default=4)
    ap.add_argument("--lr", type=float, default=1e-3)
    run_recipe(ap.parse_args())
