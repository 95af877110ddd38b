import random
from types import SimpleNamespace

import torch
from torch.nn.functional import mse_loss

from accum import Part, Update
from grids import days, grouped
from nets import Refine
from setup_dist import distributed

cfg = SimpleNamespace(seed=2, days=72, accum=4, epochs=4, lr=3e-3)


def train_epoch(model, optimizer, batches):
    model.train()
    total = 0.0
    for group in grouped(batches, cfg.accum):
        with Update(optimizer):
            for k, (coarse, fine) in enumerate(group):
                with Part(model, optimizer, position=k, size=cfg.accum) as part:
                    loss = mse_loss(model(coarse), fine)
                    (loss / len(group)).backward()
                total += loss.item()
    return total / len(batches), part.rate


def main():
    random.seed(cfg.seed)
    torch.manual_seed(cfg.seed)
    model = distributed(Refine())
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    batches, held_out = days(cfg.days, seed=0), days(16, seed=1)
    for epoch in range(cfg.epochs):
        random.shuffle(batches)
        loss, rate = train_epoch(model, optimizer, batches)
        model.eval()
        with torch.no_grad():
            error = sum(mse_loss(model(coarse), fine).item() for coarse, fine in held_out) / len(held_out)
        print(f"{epoch} train {loss:.4f} held out {error:.4f} rate {rate:g}")


if __name__ == "__main__":
    main()
